import type { Column } from '../lib/files/column.ts';
import { describeFile, readTable } from '../lib/files/read.ts';
import { openWriter } from '../lib/files/write.ts';
import type { Prediction } from '../ml/training/evaluate.ts';

/**
 * Writes the rows of `source` unchanged and in order, with a column `prediction` for the first output and
 * `prediction_<name>` for each further one: a probability, a number, or the most probable class. The format is CSV.
 */
export async function writePredictions(
  source: string,
  path: string,
  [first, ...others]: readonly Prediction[],
): Promise<void> {
  const { columns } = await describeFile(source);
  const read = await readTable(
    [source],
    columns.map(({ name }) => ({ name, type: 'string' as const })),
  );
  const made = new Map([
    ['prediction', answersOf(first)],
    ...others.map((other): [string, Column] => [`prediction_${other.name}`, answersOf(other)]),
  ]);
  const names = columns.map(({ name }) => name).filter((name) => !made.has(name));
  const writer = await openWriter(path, 'csv', [
    ...names.map((name) => ({ name, type: 'string' as const })),
    ...[...made].map(([name, { kind }]) => ({
      name,
      type: kind === 'text' ? ('string' as const) : ('number' as const),
    })),
  ]);
  await writer.write({
    rows: read.rows.rows,
    columns: new Map([...names.map((name): [string, Column] => [name, read.rows.columns.get(name)!]), ...made]),
  });
  await writer.close();
}

function answersOf({ objective, values }: Prediction): Column {
  if (objective.kind !== 'multiclass') return { kind: 'number', values };
  const width = objective.classes.length;
  const codes = Int32Array.from({ length: values.length / width }, (_, row) => {
    const own = values.subarray(row * width, (row + 1) * width);
    return own.indexOf(own.reduce((a, b) => Math.max(a, b)));
  });
  return { kind: 'text', codes, dictionary: objective.classes };
}
