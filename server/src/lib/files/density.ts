// How much more a file may say than it weighs. Files of customers can unpack to a million times their size.
import { Failure } from '../failure.ts';

/** Columns of a file. The work of checking, describing and learning grows with each. */
export const columnsMax = 5_000;
/** Bytes that any file may unpack to, however small it is. */
export const denseBytesFree = 1024 ** 3;
/** Beyond `denseBytesFree`, times its own size. A column of one value in all rows is stored as its number of rows. */
export const parquetDensityMax = 10_000;
/** The same for gzip, whose best is 1,032. */
export const gzipDensityMax = 500;

/** The refusal of a file that exceeds a limit of its format: Failure 'invalid' with the reason 'limit_exceeded'. */
export function beyondLimit(message: string): Failure {
  return new Failure('invalid', message, { reason: 'limit_exceeded' });
}

/** Refuses a file with too many columns. `name` is the file's. */
export function checkColumns(count: number, name: string): void {
  if (count <= columnsMax) return;
  const most = columnsMax.toLocaleString('en');
  const message = `${name}: has ${count.toLocaleString('en')} columns: at most ${most} are taken`;
  throw beyondLimit(`${message}. Leave out what is empty or not needed, or split the table by its key.`);
}

/**
 * Refuses a file that unpacks to `unpacked` bytes or more, when that is much and too many times its `packed` bytes.
 * `what` says in the message what the bytes are.
 */
export function checkDensity(packed: number, unpacked: number, densityMax: number, name: string, what: string): void {
  if (unpacked <= denseBytesFree || unpacked <= packed * densityMax) return;
  const times = Math.round(unpacked / packed).toLocaleString('en');
  const most = densityMax.toLocaleString('en');
  throw beyondLimit(
    `${name}: ${what} to more than ${sizeWord(unpacked)} from ${sizeWord(packed)}, ${times} times its size: beyond ${sizeWord(denseBytesFree)}, at most ${most} times are taken. Split the file, or leave out columns that repeat one value.`,
  );
}

/** Bytes of rows that are too long, in one file: beyond it, the file is no table and is not read on. */
export const lostBytesMax = 64 * 1024 ** 2;

/** Counts what rows that are too long have cost, since each is looked through up to the limit of a row. */
export class LostBytes {
  private bytes = 0;
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Adds bytes of row `row`. Throws Failure 'invalid', which says `reason`, when there are too many in the file. */
  add(bytes: number, row: number, reason: string): void {
    this.bytes += bytes;
    if (this.bytes <= lostBytesMax) return;
    const message = `${this.file}, row ${row}: ${reason}`;
    throw beyondLimit(
      `${message}. More than ${sizeWord(lostBytesMax)} of the file are in such rows, so it was not read on. Correct it and upload it again.`,
    );
  }
}

export function sizeWord(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${Math.floor(bytes / 1024 ** 3)} GB`;
  if (bytes >= 1024 ** 2) return `${Math.floor(bytes / 1024 ** 2)} MB`;
  return bytes >= 1024 ? `${Math.floor(bytes / 1024)} kB` : `${bytes} bytes`;
}
