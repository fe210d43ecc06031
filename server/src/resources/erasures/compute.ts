import { createReadStream } from 'node:fs';
import { Failure } from '../../lib/failure.ts';
import { pickRows } from '../../lib/files/column.ts';
import { escapeFormula } from '../../lib/files/formulas.ts';
import { describeFile, readChunks } from '../../lib/files/read.ts';
import { openWriter } from '../../lib/files/write.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { eraseIdentifier, noIdentifiers, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';

export type LookTask = { readonly identifier: string; readonly pieces: readonly LocalPiece[] };

export type LocalPiece = {
  /** A local file whose name has the ending of its format. */
  readonly path: string;
  /** The columns to search; 'all' for a file that may not be a table; 'bytes' to search the raw bytes. */
  readonly columns: readonly string[] | 'all' | 'bytes';
  /** Where to write the rows without the identifier, if some rows contain it; null to write nothing. */
  readonly rest: string | null;
};

export type Finding = {
  /** The columns that contain the identifier; `['bytes']` if the raw bytes of the file contain it. */
  readonly naming: readonly string[];
  readonly hasRest: boolean;
};

/** Finds which files contain an identifier, and writes the rows without it for pieces that have a `rest` path. */
export async function lookFor({ identifier, pieces }: LookTask, { signal }: TaskContext<never>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const piece of pieces) {
    signal.throwIfAborted();
    findings.push(await lookInto(piece, identifier));
  }
  return findings;
}

async function lookInto({ path, columns, rest }: LocalPiece, identifier: string): Promise<Finding> {
  if (columns === 'bytes') return { naming: await bytesNaming(path, identifier), hasRest: false };
  try {
    // Results in CSV may have it with an apostrophe before it.
    const forms = columns === 'all' ? [identifier] : [identifier, escapeFormula(identifier)];
    const naming = await columnsNaming(path, columns === 'all' ? await columnsOf(path) : columns, forms);
    if (naming.length === 0 || rest === null) return { naming, hasRest: false };
    await writeRest(path, rest, identifier);
    return { naming, hasRest: true };
  } catch (error) {
    // A customer's file that is not a table may still contain the identifier. Any other error says nothing about the
    // file.
    if (columns !== 'all' || !(error instanceof Failure) || error.code !== 'invalid') throw error;
    return { naming: await bytesNaming(path, identifier), hasRest: false };
  }
}

async function bytesNaming(path: string, identifier: string): Promise<string[]> {
  return (await hasWord(path, identifier)) ? ['bytes'] : [];
}

async function columnsOf(path: string): Promise<string[]> {
  return (await describeFile(path)).columns.map(({ name }) => name);
}

async function columnsNaming(path: string, columns: readonly string[], forms: readonly string[]): Promise<string[]> {
  if (columns.length === 0) return [];
  const asText = columns.map((name) => ({ name, type: 'string' as const }));
  const found = new Set<string>();
  let isWhole = true;
  for await (const { rows, rejectedTotal } of readChunks(path, asText)) {
    if (rejectedTotal > 0) isWhole = false;
    for (const [name, column] of rows.columns)
      if (column.kind === 'text' && forms.some((form) => column.dictionary.includes(form))) found.add(name);
  }
  // A row that cannot be parsed may contain the identifier too.
  return isWhole || found.size > 0 ? [...found] : bytesNaming(path, forms[0]);
}

/**
 * Whether a file's bytes contain the text with no ASCII letter or digit next to it, so that 42 is not found in 1420.
 */
async function hasWord(path: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let window = Buffer.alloc(0);
  let isStart = true;
  for await (const block of createReadStream(path)) {
    window = Buffer.concat([window, block as Buffer]);
    if (findWord(window, wanted, isStart, false)) return true;
    // The next match could begin at the second of these bytes. The first is kept as its left neighbor.
    const kept = window.subarray(-(wanted.length + 1));
    isStart &&= kept.length === window.length;
    window = kept;
  }
  return findWord(window, wanted, isStart, true);
}

function findWord(bytes: Buffer, wanted: Buffer, isStart: boolean, isEnd: boolean): boolean {
  for (let at = bytes.indexOf(wanted, isStart ? 0 : 1); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    const after = at + wanted.length;
    if (after === bytes.length && !isEnd) return false;
    if (!isWordByte(bytes[at - 1]) && !isWordByte(bytes[after])) return true;
  }
  return false;
}

function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9A-Za-z]/.test(String.fromCharCode(byte));
}

/** Writes the rows of a file that do not contain the identifier, in the format of the file, uncompressed. */
async function writeRest(path: string, rest: string, identifier: string): Promise<void> {
  const { format, columns } = await describeFile(path);
  const asText = columns.map(({ name }) => ({ name, type: 'string' as const }));
  const writer = await openWriter(rest, format, asText);
  for await (const { rows } of readChunks(path, asText)) {
    const isNamed = new Uint8Array(rows.rows);
    for (const column of rows.columns.values()) {
      if (column.kind !== 'text') continue;
      const code = column.dictionary.indexOf(identifier);
      if (code >= 0) for (let row = 0; row < rows.rows; row++) if (column.codes[row] === code) isNamed[row] = 1;
    }
    await writer.write(
      pickRows(
        rows,
        [...isNamed.keys()].filter((row) => isNamed[row] === 0),
      ),
    );
  }
  await writer.close();
}

export type ForgetTask = {
  readonly identifier: string;
  /** Local file with the dictionary; null when there is none. */
  readonly identifiers: string | null;
  /** The path for the dictionary without the identifier. */
  readonly out: string;
};

/**
 * Writes a dictionary without an identifier. Returns how many entries the dictionary had for it, and the SHA-256 of
 * what was written in hexadecimal.
 */
export async function forgetName({
  identifier,
  identifiers,
  out,
}: ForgetTask): Promise<{ readonly entries: number; readonly sha256: string }> {
  const book = identifiers === null ? noIdentifiers : await openIdentifiers(identifiers);
  const without = eraseIdentifier(book, identifier);
  const { sha256 } = await writeIdentifiers(without.identifiers, out);
  return { entries: without.erased.length, sha256 };
}
