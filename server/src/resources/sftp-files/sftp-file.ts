import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { becauseSchema } from '../../api/because.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { SftpFiles } from '../../schema/tables.ts';

const dayMs = 24 * 60 * 60_000;
/** How long a file, its log and its result are shown by SFTP. */
export const shownMs = 30 * dayMs;
/** How long it can be read what became of a file after it was removed. */
export const keptMs = 180 * dayMs;
/** How long the beginning of a file waits for the rest. */
export const incompleteMs = dayMs;
/** For so long the same bytes under the same name are the same file, sent once more. */
export const sameMs = dayMs;

export const fileBytesMax = 10_000_000_000;
export const fileRowsMax = 1_000_000;

export const statuses = ['incomplete', 'held', 'received', 'accepted', 'refused'] as const;
export type SftpFileStatus = (typeof statuses)[number];

export type SftpFileRow = Omit<Selectable<SftpFiles>, 'status'> & { readonly status: SftpFileStatus };

/** Endings under which clients keep what they have not finished sending, and hidden names. */
const unfinished = /\.(part|partial|filepart|tmp|temp|upload|uploading|crdownload)$|^\./i;
const taken = /\.(csv|parquet)$/i;

/** Whether a name says that the file is not finished: it waits to be renamed. */
export function isUnfinished(name: string): boolean {
  return unfinished.test(name);
}

/** Whether a name ends as a file of rows does. */
export function isTaken(name: string): boolean {
  return taken.test(name);
}

export function contentTypeOf(name: string): string {
  return /\.parquet$/i.test(name) ? 'application/vnd.apache.parquet' : 'text/csv';
}

/** The names of what comes of a file in `batch/out` and `batch/logs`; `format` is that of the result. */
export function resultName(name: string, format: string): string {
  return fitting(name, stemOf(name, format), `.result.${format}`);
}
export function rejectsName(name: string): string {
  return fitting(name, stemOf(name, 'csv'), '.rejects.csv');
}
export function logName(name: string): string {
  return fitting(name, name, '.log');
}

/**
 * A name without the ending of a format. One that ends otherwise (`a.parquet` in csv, `a.CSV`) is kept whole, and so is
 * one that would then end like those (`a.CSV.csv`): no two names have the same stem.
 */
function stemOf(name: string, format: string): string {
  const stem = name.endsWith(`.${format}`) ? name.slice(0, -format.length - 1) : name;
  return isTaken(stem) ? name : stem;
}

/** By which names of files something in `batch/out` or `batch/logs` may be called; `isOf` says it of one at most. */
export type NameSource = {
  /** Those that can be read off it. */
  readonly names: readonly string[];
  /** What tells a name that did not fit, of at least so many bytes, from others; null where there is none. */
  readonly digest: string | null;
  readonly bytesMin: number;
  isOf(name: string): boolean;
};

/** By which files a log may be named; undefined for what is no name of a log. So do the others. */
export function logSource(log: string): NameSource | undefined {
  return sourceOf(
    log,
    '.log',
    (stem) => [stem],
    (name) => logName(name) === log,
  );
}
export function rejectsSource(rejects: string): NameSource | undefined {
  const isOf = (name: string) => isTaken(name) && rejectsName(name) === rejects;
  return sourceOf(rejects, '.rejects.csv', (stem) => [stem, `${stem}.csv`], isOf);
}
export function resultSource(result: string): NameSource | undefined {
  const format = /\.result\.([a-z]+)$/.exec(result)?.[1];
  if (format === undefined) return undefined;
  const isOf = (name: string) => isTaken(name) && resultName(name, format) === result;
  return sourceOf(result, `.result.${format}`, (stem) => [stem, `${stem}.${format}`], isOf);
}

function sourceOf(
  made: string,
  ending: string,
  namesOf: (stem: string) => readonly string[],
  isOf: (name: string) => boolean,
): NameSource | undefined {
  if (!made.endsWith(ending)) return undefined;
  const stem = made.slice(0, -ending.length);
  const digest = digestAtEnd.exec(stem)?.[1] ?? null;
  return { names: namesOf(stem), digest, bytesMin: nameBytesMax - ending.length, isOf };
}

/** As file systems have it. */
const nameBytesMax = 255;
const digestLength = 8;
const digestAtEnd = new RegExp(`~([0-9a-f]{${digestLength}})$`);

/** A stem with an ending; one that is too long is cut, and told from others by a digest of the whole name. */
function fitting(name: string, stem: string, ending: string): string {
  if (Buffer.byteLength(stem) + ending.length <= nameBytesMax) return `${stem}${ending}`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, digestLength);
  const kept: string[] = [];
  let left = nameBytesMax - ending.length - digestLength - 1;
  for (const letter of stem) {
    left -= Buffer.byteLength(letter);
    if (left < 0) break;
    kept.push(letter);
  }
  return `${kept.join('')}~${digest}${ending}`;
}

const example = {
  id: 'sfl_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  name: 'portfolio.csv',
  status: 'accepted',
  bytes: 48_211,
  sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  sftp_user_id: 'sftp_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  batch_id: 'bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  problems: [],
  problem_codes: [],
  created_at: '2026-03-02T12:00:00.000Z',
  settled_at: '2026-03-02T12:00:03.201Z',
  removed_at: null,
};

export const sftpFileSchema = answerOf('SftpFile', example, {
  id: Type.String(),
  name: Type.String({ description: 'In batch/in.' }),
  status: Type.String({
    enum: [...statuses],
    description:
      'incomplete: the line dropped before its end. held: whole, under a name of what is not finished. received: to be looked at. accepted: a batch was made of it. refused: none was; problems says why.',
  }),
  bytes: Type.Integer(),
  sha256: nullable(Type.String({ description: 'Hex, of what arrived; null where it was more than may be kept.' })),
  sftp_user_id: Type.String(),
  file_id: nullable(Type.String()),
  batch_id: nullable(Type.String()),
  problems: Type.Array(Type.String()),
  problem_codes: Type.Array(nullable(becauseSchema), {
    description: 'What problems say, in their order: the code of each, and what it names. Null of one without a code.',
  }),
  created_at: Type.String(),
  settled_at: nullable(Type.String({ description: 'When it was accepted or refused.' })),
  removed_at: nullable(Type.String({ description: 'When it was removed, or replaced by another of its name.' })),
});

export function presentSftpFile(row: SftpFileRow) {
  return {
    ...{ id: row.id, name: row.name, status: row.status, bytes: Number(row.bytes), sha256: row.sha256 },
    ...{ sftp_user_id: row.sftp_user_id, file_id: row.file_id, batch_id: row.batch_id, problems: row.problems },
    problem_codes: row.problem_codes,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    removed_at: row.removed_at?.toISOString() ?? null,
  };
}
