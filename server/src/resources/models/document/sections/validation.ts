import { type Block, facts, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';

/** What the newest validation found: its verdict and checks, and the segments that it was asked for. */
export function validation({ validation: told }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.validation;
  if (told === null) return [text(`${w.none}.`)];
  const { id, compare_with_version_id: other, as_of, result } = told;
  const { judged, metric, checks, segments } = result;
  const checked = checks.map(({ name, status, value, low, high, threshold }) => [
    ...[name, w.statuses[status], number(value), number(low), number(high), number(threshold)],
  ]);
  const { low, high } = words.performance;
  return [
    facts([
      [w.validation, id],
      [w.against, other ?? words.none],
      [w.asOf, say.instant(as_of)],
      [w.verdict, w.verdicts[result.verdict]],
      [w.judged, number(judged.rows)],
    ]),
    table([w.check, w.status, words.value, low, high, w.threshold], checked, w.checks),
    ...segments.map(({ column, values }) =>
      table(
        [words.value, words.rows, `${metric}, ${w.own}`, `${metric}, ${w.other}`, w.gain, low, high],
        values.map(({ name, rows, model, compare_with: beside, gain }) => [
          ...[name ?? words.unknown, number(rows), number(model), number(beside)],
          ...[number(gain?.value), number(gain?.low), number(gain?.high)],
        ]),
        w.segment(column),
      ),
    ),
  ];
}
