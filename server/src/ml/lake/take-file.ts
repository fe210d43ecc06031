import { pickRows } from '../../lib/files/column.ts';
import { readChunks } from '../../lib/files/read.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import type { Deviation } from '../contract/deviation.ts';
import type { KeyValue } from '../graph/tables.ts';
import { changedRows, compareWithParts, identical } from './compare.ts';
import { type IncomingFile, nameOf } from './files.ts';
import type { IdentifierBook } from './identifiers.ts';
import { layoutOf, translate } from './layout.ts';
import type { Located } from './manifest.ts';
import { openPartWriter, ownTime } from './part.ts';
import type { TableSummary } from './report.ts';

type Taking = {
  readonly contract: Contract;
  /** The moment of ingestion, microseconds. */
  readonly now: number;
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
};

/** What became of the rows of a file. */
export type Taken = {
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly identical: number;
  /** How many rows that the table had before are in the file. */
  readonly met: number;
  readonly part: Located | null;
  readonly deviations: readonly Deviation[];
};

/**
 * Writes the rows of a file that `parts` lack as one more part. `earlier` are the parts before the call, which a
 * replacement is compared with; null where they hold other values.
 */
export async function takeFile(
  input: Taking,
  book: IdentifierBook | null,
  table: TableContract,
  file: IncomingFile,
  { earlier, parts }: { readonly earlier: readonly Located[] | null; readonly parts: readonly Located[] },
  staged: string,
  summary: TableSummary,
): Promise<Taken> {
  const { contract, now, progress, signal } = input;
  const taken = file.taken ?? now;
  progress?.(`taking ${nameOf(file)} into ${table.name}${file.taken === undefined ? '' : ' again'}`);
  const layout = layoutOf(contract, table, book !== null);
  const readFile = async function* () {
    for await (const chunk of readChunks(file.path, layout.read, { nameOf: () => nameOf(file) })) {
      signal?.throwIfAborted();
      yield book === null ? chunk : { ...chunk, rows: translate(chunk.rows, layout, book) };
    }
  };
  const tell = (column: string, value: KeyValue | null) =>
    String((layout.numbered.has(column) ? book!.entryOf(value as number)?.identifier : value) ?? '');
  const comparison = await compareWithParts(readFile, table, layout.kept, parts, signal);
  const mayChange = file.mode === 'upsert' && table.knownAt === undefined;
  const met = comparison.changed + comparison.identical;
  const counts = { changed: comparison.changed, identical: comparison.identical, met };
  if (comparison.changed > 0 && !mayChange)
    return {
      rows: 0,
      added: 0,
      ...counts,
      part: null,
      deviations: await changedRows(readFile, table, comparison, tell),
    };
  const writer = openPartWriter(staged, table, layout.kept, { taken, isDated: comparison.changed > 0 });
  let rows = 0;
  let written = 0;
  try {
    for await (const chunk of readFile()) {
      const standings = comparison.standings(chunk.rows);
      const kept = Array.from(standings.keys()).filter((row) => standings[row] !== identical);
      const own = kept.length === chunk.rows.rows ? chunk.rows : pickRows(chunk.rows, kept);
      await writer.write(
        own,
        standings.filter((standing) => standing !== identical),
      );
      summary.add(own, ownTime(table, own));
      rows += chunk.rows.rows;
      written += kept.length;
    }
    const part = await writer.close(file, comparison.changed);
    const done = { rows, part, deviations: [] };
    if (file.mode !== 'replace' || earlier === null || part === null)
      return { ...done, ...counts, added: written - comparison.changed };
    const readPart = () => readChunks(part.path, layout.kept);
    const { changed, identical: same } = await compareWithParts(readPart, table, layout.kept, earlier, signal);
    const added = written - changed - same;
    // What comes again as it was stays known from when it first came.
    const known = earlier.find(({ part: { path, source } }) => path === part.part.path && source === part.part.source);
    return {
      ...done,
      part: known ?? part,
      added,
      changed,
      identical: same + comparison.identical,
      met: changed + same,
    };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
