import { type Block, facts, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told, Watch } from '../told.ts';

/** Most signals that are told, the furthest beyond their thresholds first. */
const signalsMax = 20;

/** What is watched of the answers of the version: alarms that are on, drift, and what came of answers so far. */
export function monitoring({ watch }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.monitoring;
  const { countedUntil, judgedAt, alarms, outcomes } = watch;
  if (judgedAt === null) return [text(`${w.none}.`)];
  const raised = alarms.flatMap(({ kind, raised_at, signals }) =>
    signals.map(({ name, of, value, threshold }) => [
      ...[w.kinds[kind] ?? kind, say.instant(raised_at), name, of, number(value), number(threshold)],
    ]),
  );
  const drift = driftOf(watch).slice(0, signalsMax);
  const came = outcomes.map(({ output, from, until, rows, coverage, expected, observed }) => [
    ...[output, say.days({ from, to: until }), number(rows), say.percent(coverage), number(expected), number(observed)],
  ]);
  return [
    facts([
      [w.counted, countedUntil ? say.instant(countedUntil) : words.unknown],
      [w.judged, say.instant(judgedAt)],
    ]),
    raised.length === 0
      ? text(`${w.alarms}: ${words.none}.`)
      : table([w.kind, w.since, words.name, w.of, words.value, w.threshold], raised, w.alarms),
    drift.length === 0
      ? text(`${w.drift}: ${words.notMeasured}.`)
      : table(
          [words.name, w.of, 'PSI', w.threshold, w.raised],
          drift.map(({ signal, of, psi, upper, isRaised }) => [
            ...[signal.said?.[say.language] ?? signal.name, of, number(psi), number(upper), say.yesNo(isRaised)],
          ]),
          w.drift,
        ),
    came.length === 0
      ? text(`${w.outcomes}: ${words.notMeasured}.`)
      : table([words.output, w.period, words.rows, w.coverage, w.expected, w.observed], came, w.outcomes),
  ];
}

function driftOf({ signals, watched }: Watch) {
  return watched
    .flatMap(({ signal, of, series, isRaised }) => {
      const last = series.at(-1);
      return last ? [{ signal: signals[signal], of, psi: last.psi, upper: last.upper, isRaised }] : [];
    })
    .sort((a, b) => b.psi / b.upper - a.psi / a.upper);
}
