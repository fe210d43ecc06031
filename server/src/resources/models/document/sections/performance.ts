import { reliabilityRows } from '../../../../ml/calibration/curves.ts';
import type { CalibrationReport, SurenessReport } from '../../../../ml/calibration/evaluate.ts';
import type { RowsReport } from '../../../../ml/evaluation/evaluate.ts';
import { type Block, facts, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';

/** How good it was: on later rows of its training, beside what takes no learning, and on the newest labelled file. */
export function performance(told: Told, say: Say): Block[] {
  const { words, number } = say;
  const { report } = told;
  const w = words.performance;
  const measured = report.outputs.map(({ name, metric, out_of_fold: of }) => [
    ...[name, metric, number(of?.value), number(of?.standard_error), number(of?.rows)],
    of?.positives === undefined ? '' : number(of.positives),
  ]);
  const others = report.outputs.flatMap(({ name, out_of_fold: of }) =>
    Object.entries(of?.others ?? {}).map(([metric, value]) => [name, metric, number(value)]),
  );
  return [
    text(w.body),
    table([words.output, w.metric, words.value, w.error, words.rows, w.positives], measured),
    ...(others.length === 0 ? [] : [table([words.output, w.metric, words.value], others)]),
    ...naive(told, say),
    ...cutoffs(told, say),
    ...outcome(told, say),
  ];
}

function naive({ report }: Told, { words, number }: Say): Block[] {
  const w = words.performance;
  const ways = Object.entries(w.naiveWays) as [keyof typeof w.naiveWays, string][];
  const rows = report.outputs.flatMap(({ name, naive }) =>
    naive === null
      ? [[name, words.notMeasured, '']]
      : ways.flatMap(([way, said]) => (naive[way] === undefined ? [] : [[name, said, number(naive[way])]])),
  );
  const gains = report.outputs.flatMap(({ name, naive }) =>
    naive?.gain ? [[name, number(naive.gain.value), number(naive.gain.low), number(naive.gain.high)]] : [],
  );
  return [
    table([words.output, w.rule, words.value], rows, w.naive),
    ...(gains.length === 0 ? [] : [table([words.output, words.value, w.low, w.high], gains, w.gain)]),
  ];
}

function cutoffs({ report }: Told, { words, number, percent }: Say): Block[] {
  const w = words.performance;
  return report.outputs.flatMap(({ name, cutoffs }) =>
    cutoffs
      ? [
          table(
            [w.score, w.approval, w.expected, w.observed],
            cutoffs.map((row) => [
              number(row.score),
              percent(row.approval_rate),
              percent(row.expected_default),
              percent(row.observed_default),
            ]),
            `${w.cutoffs}: ${name}`,
          ),
        ]
      : [],
  );
}

type Output = Told['evaluations'][number]['result']['outputs'][number];

/** The rows of an evaluation by which a version is judged: those of later, where there are any. */
export function judged({ later, all }: Output): RowsReport | null {
  return later ?? all;
}

/** Which rows these are. */
export function judgedOn({ later }: Output, { words }: Say): string {
  return later ? words.performance.later : words.performance.all;
}

function outcome({ evaluations: [newest] }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.performance;
  if (!newest) return [text(`${w.outcome}: ${words.notMeasured}.`)];
  const rows = newest.result.outputs.flatMap((output) =>
    Object.entries(judged(output)?.model.metrics ?? {}).map(([metric, { value, low, high }]) => [
      ...[output.name, metric, number(value), number(low), number(high)],
    ]),
  );
  const means = newest.result.outputs.map((output) => {
    const { rows, positives, mean_predicted, mean_observed } = judged(output)?.model ?? {};
    const on = judgedOn(output, say);
    const observed = [number(mean_predicted), number(mean_observed)];
    return [output.name, on, number(rows), positives == null ? '' : number(positives), ...observed];
  });
  return [
    text(`${w.outcome}.`),
    facts([
      [w.evaluation, newest.id],
      [w.asOf, say.instant(newest.as_of)],
    ]),
    table([words.output, w.on, words.rows, w.positives, w.predicted, w.came], means),
    table([words.output, w.metric, words.value, w.low, w.high], rows),
  ];
}

/** Whether probabilities and bounds were right. */
export function calibration({ report, evaluations: [newest] }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.calibration;
  const blocks = report.outputs.flatMap(({ name, out_of_fold: of }) =>
    of?.calibration || of?.sureness
      ? [
          ...calibrationOf(name, of.calibration, of.sureness, say),
          ...(of.reliability
            ? [
                table(
                  [words.rows, w.meanPredicted, w.observed],
                  reliabilityRows(of.reliability.bins).map((bin) => [
                    number(bin.rows),
                    number(bin.mean_predicted),
                    number(bin.observed),
                  ]),
                  `${w.bins}: ${name}`,
                ),
              ]
            : []),
        ]
      : [text(`${name}: ${words.notMeasured}.`)],
  );
  const later = (newest?.result.outputs ?? []).flatMap((output) => {
    const { calibration, sureness } = judged(output)?.model ?? {};
    return calibration || sureness
      ? [
          facts([
            [words.performance.evaluation, newest!.id],
            [words.performance.on, judgedOn(output, say)],
          ]),
          ...calibrationOf(output.name, calibration ?? undefined, sureness ?? undefined, say),
        ]
      : [];
  });
  return [text(w.body), ...blocks, ...later];
}

function calibrationOf(
  name: string,
  calibration: CalibrationReport | undefined,
  sureness: SurenessReport | undefined,
  { words, number, percent }: Say,
): Block[] {
  const w = words.calibration;
  const withError = (value: number, error: number) => `${number(value)} ± ${number(error)}`;
  const sure: (readonly [string, string])[] =
    sureness === undefined
      ? []
      : sureness.kind === 'rate'
        ? [
            [w.lower, number(sureness.lower)],
            [w.upper, number(sureness.upper)],
            [w.observed, number(sureness.observed)],
          ]
        : [[w.coverage, `${percent(sureness.observed)} (${w.promised}: ${percent(sureness.expected)})`]];
  return [
    facts([
      [words.output, name],
      ...(calibration
        ? ([
            [words.rows, number(calibration.rows)],
            [w.error, number(calibration.expected_calibration_error)],
            [w.perfect, number(calibration.of_perfect.mean)],
            [w.perfectHigh, number(calibration.of_perfect.high)],
            [w.slope, withError(calibration.slope, calibration.slope_standard_error)],
            [w.intercept, withError(calibration.intercept, calibration.intercept_standard_error)],
            [w.z, number(calibration.spiegelhalter_z)],
          ] as const)
        : []),
      ...sure,
    ]),
  ];
}

/** How the metric moved from one time to the next, and how answers differ from those of another version. */
export function stability({ report, evaluations }: Told, say: Say): Block[] {
  const { words, number, percent } = say;
  const w = words.stability;
  const folds = report.outputs.flatMap(({ name, recipe, trials }) => {
    // A report lists the trials of `learnOutput`.
    const known = trials as readonly { readonly recipe: string; readonly folds: readonly (number | null)[] }[];
    return (known.find((trial) => trial.recipe === recipe)?.folds ?? []).map((value, fold) => [
      ...[name, number(fold + 1), number(value)],
    ]);
  });
  const compared = evaluations.find(({ result }) => result.outputs.some((output) => judged(output)?.comparison));
  const rows = (compared?.result.outputs ?? []).flatMap((output) => {
    const comparison = judged(output)?.comparison;
    if (!comparison) return [];
    const { rank_correlation, decile_changed, band_changed, mean_change } = comparison;
    const band = band_changed === null ? '' : percent(band_changed);
    return [[output.name, number(rank_correlation), percent(decile_changed), band, number(mean_change)]];
  });
  return [
    folds.length === 0
      ? text(`${w.folds}: ${words.notMeasured}.`)
      : table([words.output, w.fold, words.value], folds, w.folds),
    rows.length === 0
      ? text(`${w.compared}: ${words.notMeasured}.`)
      : table([words.output, w.rank, w.decile, w.band, w.change], rows, `${w.compared} (${compared!.id})`),
  ];
}
