// Trees against scikit-learn and xgboost, one thread each, CPU seconds, taking turns within one run.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeatureMatrix } from '../src/ml/statistics/matrix.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { binFeatures } from '../src/ml/trees/binning.ts';
import type { Forest } from '../src/ml/trees/forest.ts';
import { defaultForestOptions, type ForestOptions } from '../src/ml/trees/options.ts';
import { loadForest } from '../src/ml/trees/scorer.ts';
import { trainForest } from '../src/ml/trees/train.ts';
import { compareFigures, compareTurns, measure, type Row } from './figures.ts';
import { findPython, type Peer, startPeer } from './processes.ts';

const turns = 3;
const testRows = 50_000;
const explainRows = 1_000;

/** Runs the tree benchmark, about three minutes on one core. Without the peers it says so and returns []. */
export async function benchTrees(): Promise<Row[]> {
  const python = findPython('trees', ['sklearn', 'xgboost']);
  if (!python) return [];
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-trees-'));
  const peer = startPeer(python, 'peers/trees.py');
  try {
    return [...(await compareTraining(peer, folder)), ...(await compareScoring(peer, folder))];
  } finally {
    peer.child.kill();
    await rm(folder, { recursive: true });
  }
}

type Data = {
  readonly train: FeatureMatrix;
  readonly labels: Float64Array;
  readonly test: FeatureMatrix;
  readonly testLabels: Float64Array;
};

const fullOptions: ForestOptions = {
  ...defaultForestOptions,
  rounds: 300,
  learningRate: 0.1,
  depthMax: 8,
  leavesMax: 31,
  minLeafRows: 20,
  minChildWeight: 1e-3,
  l2: 1,
  rowSample: 1,
  columnSample: 1,
};

async function compareTraining(peer: Peer, folder: string): Promise<Row[]> {
  const data = makeData(100_000, 100);
  const request = await writeData(folder, data);
  const sampled = { ...fullOptions, minLeafRows: 1, minChildWeight: 1, rowSample: 0.5, columnSample: 0.5 };
  const rows: Row[] = [];
  const pairs = [
    { name: 'train 100k x 100, 300 trees, vs scikit-learn', options: fullOptions, action: 'train_sklearn' },
    { name: 'train, rows and columns sampled by half, vs xgboost', options: sampled, action: 'train_xgboost' },
  ];
  for (const { name, options, action } of pairs) {
    const ours: number[] = [];
    const theirs: number[] = [];
    let forest: Forest | undefined;
    for (let turn = 0; turn < turns; turn++) {
      ours.push(await measure(() => (forest = train(data, options))));
      theirs.push((await peer.ask({ ...request, action, rounds: options.rounds, sample: options.rowSample })).seconds);
    }
    const margins = loadForest(forest!).score(data.test, 0, testRows);
    const peerMargins = new Float64Array((await readFile(request.marginsFile)).buffer);
    const [auc, peerAuc] = [areaUnderCurve(margins, data.testLabels), areaUnderCurve(peerMargins, data.testLabels)];
    rows.push(compareTurns(name, ours, theirs, { unit: 'CPU s', target: 1 }));
    const note = `${testRows} test rows`;
    rows.push(compareFigures(`${name}: AUC`, auc, peerAuc, { unit: 'AUC', better: 'more', target: 0.998, note }));
  }
  return rows;
}

async function compareScoring(peer: Peer, folder: string): Promise<Row[]> {
  const data = makeData(20_000, 50);
  const request = { ...(await writeData(folder, data)), explainRows };
  const options = { ...fullOptions, rounds: 200 };
  const scorer = loadForest(train(data, options));
  const small = loadForest(train(data, { ...defaultForestOptions, rounds: 200 }));
  await peer.ask({ ...request, action: 'train_xgboost', rounds: 200, sample: 1 });
  const times = { score: [], explain: [], smallScore: [], smallExplain: [], peerScore: [], peerExplain: [] } as Record<
    string,
    number[]
  >;
  // The first turn warms up and prepares tables.
  for (let turn = 0; turn <= turns; turn++) {
    const add = (name: string, seconds: number, rows: number): void => {
      if (turn > 0) times[name].push((seconds / rows) * 1e6);
    };
    add('score', await measure(() => scorer.score(data.test, 0, testRows)), testRows);
    add('peerScore', (await peer.ask({ ...request, action: 'score_xgboost' })).seconds, testRows);
    add('explain', await measure(() => scorer.contributions(data.test, 0, explainRows)), explainRows);
    add('peerExplain', (await peer.ask({ ...request, action: 'explain_xgboost' })).seconds, explainRows);
    add('smallScore', await measure(() => small.score(data.test, 0, testRows)), testRows);
    add('smallExplain', await measure(() => small.contributions(data.test, 0, testRows)), testRows);
  }
  const unit = 'CPU us per row';
  const size = '200 trees x 31 leaves x 50 features';
  return [
    compareTurns(`score ${size}, vs xgboost inplace_predict`, times.score, times.peerScore, { unit, target: 5 }),
    compareTurns('explain the same, vs xgboost pred_contribs', times.explain, times.peerExplain, { unit, target: 5 }),
    compareTurns('explain vs score, 31 leaves', times.explain, times.score, { unit }),
    compareTurns('explain vs score, depth 3', times.smallExplain, times.smallScore, { unit }),
  ];
}

function train(data: Data, options: ForestOptions): Forest {
  const rows = Int32Array.from({ length: data.train.rows }, (_, i) => i);
  return trainForest(binFeatures(data.train, rows), data.labels, null, options);
}

/** Bell-shaped features, 2 % missing; labels from main effects, products and steps of a fifth of them, with noise. */
function makeData(rows: number, features: number): Data {
  const random = seedRandom(20_261_120);
  const make = (count: number): { matrix: FeatureMatrix; labels: Float64Array } => {
    const values = new Float32Array(count * features);
    for (let i = 0; i < values.length; i++)
      values[i] = random() < 0.02 ? Number.NaN : 2 * (random() + random() + random() - 1.5);
    const labels = new Float64Array(count);
    for (let r = 0; r < count; r++) {
      const at = (f: number): number => values[f * count + r] || 0;
      let margin = -0.5;
      for (let f = 0; f < features / 5; f++) {
        const strength = 1 / (1 + f / 4);
        margin += strength * (0.5 * at(f) + at(f) * at(f + 1) + (at(f + 2) > 0.5 ? 0.7 : 0));
      }
      labels[r] = random() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
    }
    return { matrix: { rows: count, features, values }, labels };
  };
  const train = make(rows);
  const test = make(testRows);
  return { train: train.matrix, labels: train.labels, test: test.matrix, testLabels: test.labels };
}

async function writeData(folder: string, data: Data) {
  const files = {
    trainFile: join(folder, 'train'),
    testFile: join(folder, 'test'),
    labelsFile: join(folder, 'labels'),
  };
  await writeFile(files.trainFile, data.train.values);
  await writeFile(files.testFile, data.test.values);
  await writeFile(files.labelsFile, data.labels);
  const { features, rows: trainRows } = data.train;
  return { ...files, features, trainRows, testRows, marginsFile: join(folder, 'margins') };
}

/** Area under the ROC curve by ranks (Mann & Whitney), ties at their mean rank. */
function areaUnderCurve(scores: Float64Array, labels: Float64Array): number {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b]);
  let rankSum = 0;
  let positives = 0;
  for (let i = 0; i < order.length; ) {
    let end = i;
    while (end < order.length && scores[order[end]] === scores[order[i]]) end++;
    for (let k = i; k < end; k++) if (labels[order[k]] === 1) rankSum += (i + end + 1) / 2;
    i = end;
  }
  for (const label of labels) positives += label;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * (labels.length - positives));
}
