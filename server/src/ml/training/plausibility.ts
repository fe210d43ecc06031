import type { ModelFeature } from '../explain/model-features.ts';
import { labelsTable } from '../features/feature.ts';
import type { MetricName } from '../statistics/metrics.ts';
import type { Objective, ObjectiveKind } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import { evaluateNaive, type NaivePart } from './naive.ts';
import type { Measures } from './report.ts';
import type { ModelWarning } from './warning.ts';

/**
 * From `from` on a model is implausibly good, if it also leaves less than `leftShareMax` of what the best naive
 * prediction leaves unexplained: what hardly changes is predicted well without reading anything of the outcome. Of
 * eight tasks of five public data sets the best have an AUROC of .961 (who leaves, lahman) and an R² of .55.
 */
const limits: Readonly<Record<ObjectiveKind, { metric: MetricName; said: string; from: number; chance: number }>> = {
  binary: { metric: 'auroc', said: 'AUROC', from: 0.99, chance: 0.5 },
  regression: { metric: 'r2', said: 'R²', from: 0.95, chance: 0 },
  multiclass: { metric: 'multiclass_accuracy', said: 'accuracy', from: 0.99, chance: 0 },
};
const leftShareMax = 0.2;
/** With fewer rows, or fewer of a class, a model is good by chance. */
const rowsMin = 200;
const classRowsMin = 25;
/** What carries a model: the columns with this share of its gain together, and at most so many. */
const carriedShare = 0.8;
const carriersMax = 5;
/** Where columns and counted rows have less of the gain than this, earlier labels carry the model. */
const ownShareMin = 0.5;

/** An output of a model with its measures, on rows that were predicted unseen. */
export type Evaluated = {
  readonly task: Task;
  readonly name: string;
  readonly objective: Objective;
  readonly examples: Examples;
  readonly measures: Measures;
  /** The rows that were measured, and the labels that may be used for naive predictions of them. */
  readonly parts: readonly NaivePart[];
  readonly features: readonly ModelFeature[];
};

/**
 * Warns where a model is implausibly good, and names what carries it. Silent where the task trusts all of that, or
 * where it is the earlier labels, whose windows have closed.
 */
export function warnOfPlausibility(evaluated: Evaluated): ModelWarning[] {
  const { task, name, objective, examples, measures, parts, features } = evaluated;
  const { metric, said, from, chance } = limits[objective.kind];
  const value = measures.others[metric];
  if (!(value >= from) || !isTelling(evaluated)) return [];
  const naive = evaluateNaive({ ...objective, metric }, examples, parts);
  const best = Math.max(
    chance,
    ...Object.values(naive).filter((each): each is number => typeof each === 'number' && !Number.isNaN(each)),
  );
  if (1 - value >= leftShareMax * (1 - best)) return [];
  const carriers = carriersOf(features);
  const trusted = new Set(task.trust ?? []);
  if (carriers.every(({ at, table }) => trusted.has(at) || trusted.has(table))) return [];
  const places = carriers.map(({ at }) => at).join(', ');
  const told = carriers.map(
    ({ at, importance, description }) =>
      `${at} (${(100 * importance).toFixed(0)} % of the gain${description === null ? '' : `; most of it: ${description}`})`,
  );
  return [
    {
      code: 'implausibly_good',
      output: name,
      message: `${name}: ${said} ${value.toFixed(4)} on ${measures.rows} rows is implausibly good, where ${best.toFixed(4)} takes no learning: it may read what was written at the outcome or after it. It rests on ${told.join(', ')}. Give what was written later its knownFrom or knownAt in the contract, leave it out (hide: [${carriers[0].at}] in the task), or, where all of it is known in time, accept it and this warning goes (trust: [${places}])`,
      because: {
        ...{ code: 'too_good', output: name, measure: said, value, rows: measures.rows, best },
        places: carriers.map(({ at }) => at),
      },
      carriers: carriers.map(({ at, importance, description }) => ({ at, importance, description })),
    },
  ];
}

function isTelling({ objective, examples: { labels }, parts }: Evaluated): boolean {
  const known = parts.flatMap(({ evaluated }) => Array.from(evaluated, (i) => labels[i]));
  if (known.length < rowsMin) return false;
  if (objective.kind === 'regression') return true;
  const counts = [...Map.groupBy(known, (label) => label).values()].map(({ length }) => length);
  return counts.filter((count) => count >= classRowsMin).length >= 2;
}

type Carrier = {
  /** `table.column`, or the table whose rows are counted. */
  readonly at: string;
  readonly table: string;
  /** The share of the gain of all features that read it, and the most important of them in words. */
  readonly importance: number;
  readonly description: string | null;
};

/** What carries a model, most important first. Earlier labels and what all rows have in common carry nothing. */
function carriersOf(features: readonly ModelFeature[]): Carrier[] {
  const own = features.flatMap((feature) => {
    const { table, columns } = feature;
    if (table === null || table === labelsTable || feature.importance === 0) return [];
    return [{ ...feature, at: columns[0] ?? table, table }];
  });
  const carriers = [...Map.groupBy(own, ({ at }) => at)]
    .map(([at, [first, ...rest]]): Carrier => {
      const importance = rest.reduce((sum, each) => sum + each.importance, first.importance);
      return { at, table: first.table, importance, description: first.description };
    })
    .sort((a, b) => b.importance - a.importance);
  if (carriers.reduce((sum, { importance }) => sum + importance, 0) < ownShareMin) return [];
  let carried = 0;
  const kept: Carrier[] = [];
  for (const carrier of carriers.slice(0, carriersMax)) {
    kept.push(carrier);
    carried += carrier.importance;
    if (carried >= carriedShare) break;
  }
  return kept;
}
