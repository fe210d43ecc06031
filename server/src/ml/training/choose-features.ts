import { Failure } from '../../lib/failure.ts';
import { contractOf } from '../explain/lineage.ts';
import { openSteering } from '../explain/steering.ts';
import type { Feature } from '../features/feature.ts';
import { proposeFeatures } from '../features/proposals/propose-features.ts';
import { pickFeatures } from '../heads/head.ts';
import { lossOf, spreadOf } from '../heads/recipes.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';
import type { LabelledOutput } from '../tasks/labels.ts';
import type { Task } from '../tasks/task.ts';
import { areLabelsTelling, readsLabels } from './label-history.ts';
import {
  anchorsFor,
  evaluateQuestions,
  isYesOrNo,
  type LearningData,
  type Progress,
  readableUntil,
} from './learning-data.ts';
import { shareMatrix, teamOf } from './learning-team.ts';
import { type Questions, type Regime, thin, trainingQuestions } from './questions.ts';
import { type LabelledRows, selectFeatures } from './select.ts';
import { type FoldRanking, foldsOf } from './try-recipes.ts';
import { openWordChoice } from './words.ts';

const selectionRowsMax = 6_000;
const selectedMax = 160;
/** Most rows sampled for the proposal: enough to see which spans hold events. */
const spanSampleRows = 500;

/**
 * The chosen features, their ranking for each output (best first), notes on the tables, and unused columns.
 * `foldFeatures` are further features, which rankings of folds name behind the chosen ones.
 */
export type Choice = Awaited<ReturnType<typeof chooseFeatures>>;

/**
 * Proposes every feature the tables offer, and keeps those with gain in a first boosting. Features are ranked for each
 * output, and for each of its folds by the labels known when it starts: by features chosen with its own labels too a
 * fold would be foretold better than what comes later. (Made-up contests, two draws, where few of thousands of features
 * tell anything: AUROC of the last fold .61 if its labels choose too, .59 if not, and .57 of the rows after it.)
 */
export async function chooseFeatures(data: LearningData, pool: Int32Array, regime: Regime, progress: Progress) {
  const { task, graph, outputs, mayRead = () => true } = data;
  const { objective, examples: first } = outputs[0];
  const team = teamOf(data);
  const rare = isYesOrNo(data) ? first.labels : undefined;
  const spread = thin(trainingQuestions(first, pool, regime, isYesOrNo(data)), selectionRowsMax, rare);
  progress('proposing features', 0, 1);
  const { cut } = readableUntil(data, pool, regime);
  const rankable = withLabel(first, spread);
  const chooseWords = openWordChoice(
    graph,
    anchorsFor(data, first, rankable),
    wordLabels(
      objective,
      Float64Array.from(rankable.example, (i) => first.labels[i]),
    ),
    objective.kind !== 'multiclass',
  );
  const sample = anchorsFor(data, first, thin(spread, spanSampleRows));
  const source = { contract: contractOf(graph), entity: task.entity };
  const steering = openSteering(source, task.features);
  const proposed = proposeFeatures(graph, task, sample, cut, chooseWords, steering.mayRead);
  const unmatched = data.isPart ? [] : steering.unmatched(task.name);
  // If data stopped long before the anchor, the last label says little, and the more such features there are, the more
  // are selected. So in the stale regime features of labels are left out, except those of all rows together. (rel-f1,
  // three cuts: AUROC of top3 .763 with them, .771 without; the other tasks are alike.)
  const isTelling = areLabelsTelling(first, pool, spread);
  const isKept = (feature: Feature) =>
    !readsLabels(feature) || (isTelling && (regime.kind === 'rolling' || feature.focus.kind === 'all'));
  const proposal = {
    ...proposed,
    features: proposed.features.filter((feature) => isKept(feature) && mayRead(feature)),
    categories: proposed.categories.filter(mayRead),
  };
  const matrix = await evaluateQuestions(data, proposal.features, spread, (done, of) =>
    progress(`${proposal.features.length} proposed features`, done, of),
  );
  if (task.features && proposal.features.length === 0)
    throw new Failure('invalid', `task ${task.name}: features leaves nothing to learn from: name more, or drop less`);
  const wanted = keptOf(task, proposal.features, matrix, steering.isKept);
  const rowsOf = (examples: Examples) =>
    Int32Array.from(spread.example.keys()).filter((k) => !Number.isNaN(examples.labels[spread.example[k]]));
  const labelledRowsOf = ({ objective, examples }: LabelledOutput, rows: Int32Array): LabelledRows => {
    const labels = Float64Array.from(rows, (k) => examples.labels[spread.example[k]]);
    // The squared loss of heavy-tailed labels would rank features by a handful of rows.
    const isTailed = objective.kind === 'regression' && spreadOf(labels).tailed;
    return { rows, labels: isTailed ? labels.map(Math.log1p) : labels, loss: lossOf(objective) };
  };
  const withWanted = (chosen: readonly number[]) => [
    ...wanted.filter((f) => chosen.includes(f)),
    ...wanted.filter((f) => !chosen.includes(f)),
    ...chosen.filter((f) => !wanted.includes(f)),
  ];
  // With several horizons, features are selected by the shortest and the longest only. Each other output then ranks the
  // selected ones.
  const deciding = outputs.length > 2 && !task.heads ? [outputs[0], outputs.at(-1)!] : outputs;
  const questions = trainingQuestions(first, pool, regime, isYesOrNo(data));
  const setsOfFolds = deciding.map((output) =>
    foldsOf(output.examples, questions, regime).folds.flatMap(({ start, train }) => {
      const among = new Set(train);
      const labelled = labelledRowsOf(
        output,
        rowsOf(output.examples).filter((row) => among.has(spread.example[row])),
      );
      return new Set(labelled.labels).size > 1 ? [{ start, labelled }] : [];
    }),
  );
  const sets = [
    ...deciding.map((output) => labelledRowsOf(output, rowsOf(output.examples))),
    ...setsOfFolds.flat().map(({ labelled }) => labelled),
  ];
  const by = deciding.map(({ name }) => name).join(', ');
  const ranked = await selectFeatures(team, matrix, sets, selectedMax, (begun, of) =>
    progress(`selecting features by ${by}`, begun, of),
  );
  const rankedFirst = ranked.map(withWanted);
  const found = rankedFirst.slice(0, deciding.length);
  const kept = [...new Set(found.flat())];
  let next = deciding.length;
  const ofFolds = setsOfFolds.map((own) =>
    own.map(({ start }): FoldRanking => ({ start, ranking: rankedFirst[next++] })),
  );
  const places = new Map(kept.map((feature, place) => [feature, place]));
  for (const { ranking } of ofFolds.flat())
    for (const feature of ranking) if (!places.has(feature)) places.set(feature, places.size);
  const foldRankings = outputs.map((output) =>
    // Between two horizons that decide, features of folds are those of the longest.
    (ofFolds[deciding.indexOf(output)] ?? ofFolds.at(-1)!).map(
      ({ start, ranking }): FoldRanking => ({ start, ranking: ranking.map((feature) => places.get(feature)!) }),
    ),
  );
  const narrow = shareMatrix(team, pickFeatures(matrix, kept));
  const others = outputs.filter((output) => !deciding.includes(output));
  const ofOthers = await selectFeatures(
    team,
    narrow,
    others.map((output) => labelledRowsOf(output, rowsOf(output.examples))),
    selectedMax,
  );
  const rankings = outputs.map((output) => {
    const at = deciding.indexOf(output);
    return at >= 0 ? found[at].map((feature) => kept.indexOf(feature)) : ofOthers[others.indexOf(output)];
  });
  return {
    features: kept.map((feature) => proposal.features[feature]),
    foldFeatures: [...places.keys()].slice(kept.length).map((feature) => proposal.features[feature]),
    rankings,
    foldRankings,
    notes: [...proposal.notes, ...unmatched.map((path) => `no feature is proposed of ${path}, which features names`)],
    categories: proposal.categories,
    unused: proposal.unused,
  };
}

/**
 * The features that the task keeps and that have a value on some row; they stand before those that selection chose.
 * Throws Failure 'invalid' where they are more than a model may have.
 */
function keptOf(
  task: Task,
  features: readonly Feature[],
  { rows, values }: FeatureMatrix,
  isKept: (feature: Feature) => boolean,
): number[] {
  const kept = features.flatMap((feature, f) =>
    isKept(feature) && values.subarray(f * rows, (f + 1) * rows).some((value) => !Number.isNaN(value)) ? [f] : [],
  );
  if (kept.length > selectedMax)
    throw new Failure(
      'invalid',
      `task ${task.name}: features.keep keeps ${kept.length} features, and a model may keep ${selectedMax}: a column counts with all features that read it, of any row; name its code for that of the row itself, or other codes (eval's report and GET …/features list those that models have)`,
    );
  return kept;
}

/** The questions whose label is known. */
function withLabel({ labels }: Examples, { example, until, weight }: Questions): Questions {
  const known = Int32Array.from(example.keys()).filter((q) => !Number.isNaN(labels[example[q]]));
  return {
    example: known.map((q) => example[q]),
    until: Float64Array.from(known, (q) => until[q]),
    weight: Float64Array.from(known, (q) => weight[q]),
  };
}

/** The labels used to choose words: the logarithm where they are heavy-tailed. */
function wordLabels(objective: Objective, labels: Float64Array): Float64Array {
  return objective.kind === 'regression' && spreadOf(labels).tailed ? labels.map(Math.log1p) : labels;
}
