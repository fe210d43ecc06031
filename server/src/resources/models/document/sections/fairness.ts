import { type Block, facts, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Evaluated, Told } from '../told.ts';
import { judged, judgedOn } from './performance.ts';

/** How good the version is for each value of the segments that are named, by the newest evaluation that has them. */
export function fairness({ evaluations, segments }: Told, say: Say): Block[] {
  const w = say.words.fairness;
  const columns = segments ?? evaluations.find((one) => one.segments.length > 0)?.segments ?? [];
  const end = text(w.protected);
  if (columns.length === 0) return [text(`${w.none}.`), end];
  const blocks = columns.flatMap((column) => {
    const measuring = evaluations.find((one) => one.segments.includes(column));
    return measuring ? segmentBlocks(measuring, column, say) : [text(`${w.missing(column)}.`)];
  });
  return [text(w.body), ...blocks, end];
}

function segmentBlocks({ id, as_of, result }: Evaluated, column: string, say: Say): Block[] {
  const { words, number } = say;
  const w = words.fairness;
  const p = words.performance;
  const told = result.outputs.flatMap((output) => {
    const { name, metric } = output;
    const segment = judged(output)?.segments.find((one) => one.column === column);
    if (!segment) return [];
    const head = [w.value, words.rows, p.positives, metric, p.low, p.high, p.predicted, p.came, w.small];
    const rows = segment.values.map(({ value, rows, positives, metric, mean_predicted, mean_observed, is_small }) => [
      ...[value ?? words.unknown, number(rows), positives === null ? '' : number(positives)],
      ...[number(metric.value), number(metric.low), number(metric.high)],
      ...[number(mean_predicted), number(mean_observed), say.yesNo(is_small)],
    ]);
    const { others } = segment;
    return [
      table(head, rows, `${w.segment(column, name)} (${judgedOn(output, say)})`),
      ...(others ? [text(w.others(number(others.values), number(others.rows)))] : []),
    ];
  });
  return [
    facts([
      [p.evaluation, id],
      [p.asOf, say.instant(as_of)],
    ]),
    ...told,
  ];
}
