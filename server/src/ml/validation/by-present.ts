import { rankCorrelation } from '../evaluation/compare.ts';
import type { SegmentedRows } from '../evaluation/segments.ts';
import { columnsRead, tableRead } from '../explain/lineage.ts';
import type { Feature } from '../features/feature.ts';
import { featureGains } from '../heads/gains.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { binOf, countIn, edgesOf, largestDistance } from '../statistics/distributions.ts';
import { mostProbable } from '../statistics/metrics.ts';
import { widthOf } from '../statistics/objective.ts';
import { textOfDay } from '../tasks/target.ts';
import { type Bands, migrationOf, stabilityIndex, stabilityIndexBeside } from './distribution.ts';
import { anchorsAt, predictRows } from './judged-rows.ts';
import type { Present } from './present.ts';
import type { ValidationReport } from './report.ts';

const histogramBins = 20;
/** The bands of predictions that have no score: fifths of those of the version before. */
const otherBands = 5;

/**
 * Predictions of the present by both versions, and against those of the rows that they are judged on. `said`: what the
 * report does not hold, the predictions themselves.
 */
export function measurePresent(
  model: OpenVersion,
  compareWith: OpenVersion | null,
  o: number,
  asked: Present,
  judged: Pick<SegmentedRows, 'entities' | 'at'> | null,
  scored: Bands | null,
  until: number,
): {
  readonly told: Omit<NonNullable<ValidationReport['present']>, 'cutoffs'>;
  readonly said: { readonly own: Float64Array; readonly before: Float64Array | null };
} {
  const width = widthOf(model.version.outputs[o].objective);
  const isNumber = width === 1;
  const numbersOf = (values: Float64Array) => (isNumber ? values : Float64Array.from(classesOf(values, width)));
  const predict = (opened: OpenVersion) => numbersOf(predictRows(opened, o, asked.rows, asked.at, until));
  const [own, before] = [predict(model), compareWith && predict(compareWith)];
  const edges = edgesOf(before ?? own, histogramBins);
  const bands = scored ?? bandsOf(edgesOf(before ?? own, otherBands));
  const [counts, countsBefore] = [countIn(edges, own), before && countIn(edges, before)];
  // Of judged rows, too, by the final model: those of folds have other calibrators, and would differ by that.
  const ofJudged = (opened: OpenVersion | null) =>
    opened && judged && numbersOf(predictRows(opened, o, judged.entities, judged.at, until));
  const [ownJudged, beforeJudged] = [ofJudged(model), ofJudged(compareWith)];
  const told = {
    rows: asked.rows.length,
    at: textOfDay(asked.at.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    histogram: counts.map((rows, bin) => ({
      from: edges[bin - 1] ?? null,
      to: edges[bin] ?? null,
      model: rows,
      compare_with: countsBefore?.[bin] ?? null,
    })),
    stability_index: before && stabilityIndex(before, own),
    largest_distance: before && largestDistance(before, own),
    rank_correlation: before && isNumber ? rankCorrelation(own, before) : null,
    bands: isNumber ? bands.names : [],
    migration: before && isNumber ? migrationOf(bands, before, own) : null,
    judged: ownJudged &&
      beforeJudged && {
        stability_index: stabilityIndex(beforeJudged, ownJudged),
        rank_correlation: isNumber ? rankCorrelation(ownJudged, beforeJudged) : null,
      },
    since_judged: {
      model: ownJudged && stabilityIndex(ownJudged, own),
      compare_with: beforeJudged && before && stabilityIndex(beforeJudged, before),
      beside: ownJudged && beforeJudged && before && stabilityIndexBeside([ownJudged, beforeJudged], [own, before]),
    },
  };
  return { told, said: { own, before } };
}

function classesOf(values: Float64Array, width: number): Int32Array {
  return mostProbable(new Float64Array(values.length / width), values);
}

function bandsOf(edges: readonly number[]): Bands {
  const textOf = (edge: number | undefined) => (edge === undefined ? '' : String(Number(edge.toPrecision(3))));
  return {
    names: Array.from({ length: edges.length + 1 }, (_, k) => `${textOf(edges[k - 1])} … ${textOf(edges[k])}`.trim()),
    of: (value) => binOf(edges, value),
  };
}

const shownMax = 10;
/** A smaller rise of the share that is missing comes and goes. */
const riseMin = 0.05;

/** What has no value at present and had one on the rows that the version is judged on. */
export function measureMissing(
  opened: OpenVersion,
  judged: SegmentedRows,
  asked: Present,
  until: number,
): { readonly share: number; readonly told: ValidationReport['missing'] } {
  const { task, fresh, contract, features, outputs } = opened.version;
  const gains = featureGains(
    outputs.map(({ head }) => head),
    features.length,
  );
  const total = gains.reduce((a, b) => a + b, 0);
  const then = opened.missingAt(anchorsAt(opened, judged.entities, judged.at, until));
  const now = opened.missingAt(anchorsAt(opened, asked.rows, asked.at, until));
  const source = { ...task, fresh, contract };
  const rows = features.map((feature, f) => ({
    at: atOf(source, feature),
    importance: total > 0 ? gains[f] / total : 0,
    judged: then[f],
    present: now[f],
  }));
  return {
    share: rows.reduce((sum, { importance, judged, present }) => sum + importance * Math.max(0, present - judged), 0),
    told: [...Map.groupBy(rows, ({ at }) => at)]
      .map(([at, same]) => together(at, same))
      .filter(({ importance, judged, present }) => importance > 0 && present - judged > riseMin)
      .sort((a, b) => b.importance * (b.present - b.judged) - a.importance * (a.present - a.judged))
      .slice(0, shownMax),
  };
}

type Missing = ValidationReport['missing'][number];

/** What features of one column lack, as one: shares are means by their importance. */
function together(at: string, rows: readonly Missing[]): Missing {
  const importance = rows.reduce((sum, row) => sum + row.importance, 0);
  const mean = (of: (row: Missing) => number) =>
    importance > 0 ? rows.reduce((sum, row) => sum + row.importance * of(row), 0) / importance : 0;
  return { at, importance, judged: mean(({ judged }) => judged), present: mean(({ present }) => present) };
}

/** What a feature reads, as `table.column`; the table where it counts rows. */
function atOf(source: Parameters<typeof columnsRead>[0], feature: Feature): string {
  const [first] = columnsRead(source, feature);
  return first ? `${first.table?.name}.${first.column.name}` : (tableRead(source, feature) ?? 'calendar');
}
