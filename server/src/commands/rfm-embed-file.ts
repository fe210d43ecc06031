import { Failure } from '../lib/failure.ts';
import { type Column, pickRows, type Rows, textColumn } from '../lib/files/column.ts';
import { sayFileNotice } from '../lib/files/notices.ts';
import { describeFile } from '../lib/files/read.ts';
import { instantsOf } from '../lib/time-zone.ts';
import { isThere } from '../ml/graph/as-of/rows.ts';
import { resolveKeys } from '../ml/graph/keys.ts';
import { embeddingColumns } from '../ml/rfm/network.ts';
import { encodeVector, snapshotInput, vectorInput } from '../ml/version/given-vectors.ts';
import { dayInput } from '../ml/version/schema.ts';
import { momentAt, openMoments, refused } from '../serving/rows/moments.ts';
import type { Refuse } from '../serving/rows/problem.ts';
import { gatherProblems } from '../serving/rows/score.ts';
import type { ProgressLine } from './progress.ts';
import { encoderAt, type Home } from './rfm-home.ts';
import { requireFormat, writeRows } from './write-rows.ts';

/**
 * Embeds the entities that the rows of a file name, in order, as of each row's `reference_date` or of `now` (an instant
 * in milliseconds). `encoder`: the snapshot of the encoder to use; the export's own by default. The vector of an entity
 * that was not known by then is missing. Throws Failure 'invalid' when the file has no key column.
 */
export async function embedFile(
  home: Home,
  encoder: string | undefined,
  from: string,
  to: string,
  now: number,
  progress: ProgressLine,
): Promise<{ rows: number; rejected: number }> {
  const format = requireFormat(from, to);
  const { snapshot, rfm } = encoderAt(home, encoder);
  const table = home.tables.get(rfm.entity)!;
  const key = table.contract.columns.find(({ name }) => name === table.contract.key[0])!;
  const { columns, warnings } = await describeFile(from);
  for (const warning of warnings) progress.say(`warning: ${sayFileNotice(warning)}`);
  const has = (wanted: string) => columns.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (!has(key.name)) throw new Failure('invalid', `${from} has no column ${key.name}, the key of ${rfm.entity}`);
  const requests = [
    { name: key.name, type: key.type, required: true, isStrict: true },
    ...(has(dayInput) ? [{ name: dayInput, type: 'date' as const, required: false, isStrict: true }] : []),
  ];
  const written = [
    { name: key.name, type: key.type },
    { name: 'as_of', type: 'timestamp' as const },
    { name: vectorInput, type: 'string' as const },
    { name: snapshotInput, type: 'string' as const },
  ];
  const { timeZone } = home.exported;
  const momentsOf = openMoments({ timeZone, now, usual: momentAt(timeZone, now) });
  const embed = ({ rows, at }: Dated): Rows => {
    const keys = rows.columns.get(key.name)!;
    const found = resolveKeys(keys, rows.rows, table.rowOf);
    const known = Array.from(found.keys()).filter((i) => isThere(table, found[i], at[i]));
    const vectors = rfm.embed(
      Int32Array.from(known, (i) => found[i]),
      Float64Array.from(known, (i) => at[i]),
    );
    const texts: (string | null)[] = Array.from({ length: rows.rows }, () => null);
    known.forEach((i, k) => {
      const vector = vectors.subarray(k * embeddingColumns, (k + 1) * embeddingColumns);
      texts[i] = encodeVector(vector);
    });
    const columnsOf = new Map<string, Column>([
      [key.name, keys],
      ['as_of', { kind: 'time', values: instantsOf(timeZone, at) }],
      [vectorInput, textColumn(texts)],
      [snapshotInput, textColumn(texts.map((text) => (text === null ? null : snapshot)))],
    ]);
    return { rows: rows.rows, columns: columnsOf };
  };
  return writeRows({ from, to, format, csv: { formulas: 'escape' }, requests, columns: written }, progress, (chunk) =>
    gatherProblems(chunk, (refuse) => embed(datedRows(chunk.rows, momentsOf, refuse))),
  );
}

/** Rows, and the as-of moment of each in microseconds of the data's local time. */
type Dated = { readonly rows: Rows; readonly at: Float64Array };

/** Keeps the rows whose as-of moment is allowed, and refuses the others. */
function datedRows(rows: Rows, momentsOf: ReturnType<typeof openMoments>, refuse: Refuse): Dated {
  const target = new Int32Array(rows.rows);
  const { asOf } = momentsOf(rows, target, refuse);
  const kept = Array.from(target.keys()).filter((row) => target[row] !== refused);
  const at = Float64Array.from(kept, (row) => (typeof asOf === 'number' ? asOf : asOf[row]));
  return { rows: kept.length === rows.rows ? rows : pickRows(rows, kept), at };
}
