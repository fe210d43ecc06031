import { assert } from '../../lib/failure.ts';
import { type Random, seedRandom } from '../statistics/random.ts';
import {
  addGradient,
  hidden,
  type Layout,
  layRanker,
  openBackward,
  openPass,
  type Ranker,
  scoreRows,
  standardise,
} from './ranker.ts';

/** A question whose candidates include at least one true and one false one. */
export type RankedExample = {
  readonly relation: number;
  readonly rows: number;
  /** Rows of columns; standardised in place by `trainRanker`. */
  readonly values: Float32Array;
  /** How often each row is a truth; 0 when it is none. */
  readonly truths: Uint8Array;
};

const epochs = 3;
/** Questions per batch: 256, or fewer when that would make fewer than 100 batches in total. */
const batchMin = 8;
const batchMax = 256;
const batchesMin = 100;
const learningRate = 3e-3;
const weightDecay = 1e-4;
const [momentum, variance, tiny] = [0.9, 0.999, 1e-8];

/**
 * Learns to order candidates: the loss of a question is Σ over its truths of −log softmax of the truth against all that
 * is not true. AdamW (Loshchilov and Hutter 2019) on batches of up to 256 questions, the rate falling as a half cosine.
 * The examples' values are standardised in place.
 */
export function trainRanker(
  examples: readonly RankedExample[],
  columns: number,
  relations: number,
  seed: number,
  progress: (done: number, of: number) => void,
): Ranker {
  assert(examples.length > 0, 'there is something to learn from');
  const layout = layRanker(columns, relations);
  const random = seedRandom(seed);
  const ranker: Ranker = { layout, parameters: drawParameters(layout, random), ...measureColumns(examples, columns) };
  for (const { values, rows } of examples) standardise(ranker, values, rows);

  const rowsMax = 4 * Math.ceil(examples.reduce((most, { rows }) => Math.max(most, rows), 0) / 4);
  const pass = openPass(rowsMax, layout);
  const back = openBackward(rowsMax, layout);
  const slopes = new Float64Array(rowsMax);
  const gradient = new Float64Array(layout.size);
  const adam = { first: new Float64Array(layout.size), second: new Float64Array(layout.size), steps: 0 };
  const order = Int32Array.from(examples.keys());
  const batchQuestions = Math.max(batchMin, Math.min(batchMax, Math.floor(examples.length / batchesMin)));
  const steps = epochs * Math.ceil(examples.length / batchQuestions);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (let start = 0; start < order.length; start += batchQuestions) {
      gradient.fill(0);
      let truths = 0;
      for (const at of order.subarray(start, start + batchQuestions)) {
        const example = examples[at];
        scoreRows(ranker, pass, example.relation, example.values, example.rows);
        truths += differentiateLoss(example, pass.scores, slopes);
        addGradient(ranker, pass, back, example.relation, slopes, example.rows, gradient);
      }
      const rate = (learningRate * (1 + Math.cos((Math.PI * adam.steps) / steps))) / 2;
      step(ranker.parameters, gradient, 1 / truths, rate, adam);
      progress(adam.steps, steps);
    }
  }
  return ranker;
}

/** Writes dLoss / dScore of a question's rows to `slopes`. Returns the number of its truths, counting repeats. */
function differentiateLoss({ rows, truths }: RankedExample, scores: Float64Array, slopes: Float64Array): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row++) greatest = Math.max(greatest, scores[row]);
  let others = 0;
  for (let row = 0; row < rows; row++) if (truths[row] === 0) others += Math.exp(scores[row] - greatest);
  let [count, share] = [0, 0];
  for (let row = 0; row < rows; row++) {
    if (truths[row] === 0) continue;
    const own = Math.exp(scores[row] - greatest);
    slopes[row] = truths[row] * (own / (own + others) - 1);
    share += truths[row] / (own + others);
    count += truths[row];
  }
  for (let row = 0; row < rows; row++) if (truths[row] === 0) slopes[row] = share * Math.exp(scores[row] - greatest);
  return count;
}

type Adam = { readonly first: Float64Array; readonly second: Float64Array; steps: number };

function step(parameters: Float64Array, gradient: Float64Array, scale: number, rate: number, adam: Adam): void {
  adam.steps++;
  const unbiasFirst = 1 - momentum ** adam.steps;
  const unbiasSecond = 1 - variance ** adam.steps;
  for (let p = 0; p < parameters.length; p++) {
    const g = gradient[p] * scale;
    adam.first[p] = momentum * adam.first[p] + (1 - momentum) * g;
    adam.second[p] = variance * adam.second[p] + (1 - variance) * g * g;
    const change = adam.first[p] / unbiasFirst / (Math.sqrt(adam.second[p] / unbiasSecond) + tiny);
    parameters[p] -= rate * (change + weightDecay * parameters[p]);
  }
}

/** Weights are uniform within ±1/√inputs of their layer. The skip and the relations' numbers start small. */
function drawParameters(layout: Layout, random: Random): Float64Array {
  const parameters = new Float64Array(layout.size);
  const draw = (from: number, count: number, bound: number) => {
    for (let p = from; p < from + count; p++) parameters[p] = (2 * random() - 1) * bound;
  };
  draw(layout.first, hidden * layout.inputs, 1 / Math.sqrt(layout.inputs));
  draw(layout.firstBias, hidden, 1 / Math.sqrt(layout.inputs));
  draw(layout.second, hidden * hidden, 1 / Math.sqrt(hidden));
  draw(layout.secondBias, hidden, 1 / Math.sqrt(hidden));
  draw(layout.last, hidden, 1 / Math.sqrt(hidden));
  draw(layout.skip, layout.columns, 1 / Math.sqrt(layout.inputs));
  draw(layout.relation, layout.size - layout.relation, 0.1);
  return parameters;
}

/** Mean and standard deviation of each column. A column with a single value standardises to 0. */
function measureColumns(examples: readonly RankedExample[], columns: number): Pick<Ranker, 'means' | 'scales'> {
  const sums = new Float64Array(columns);
  const squares = new Float64Array(columns);
  let total = 0;
  const eachRow = (visit: (value: number, column: number) => void) => {
    for (const { values, rows } of examples)
      for (let at = 0; at < rows * columns; at++) visit(values[at], at % columns);
  };
  for (const { rows } of examples) total += rows;
  eachRow((value, column) => {
    sums[column] += value;
  });
  const means = sums.map((sum) => sum / total);
  eachRow((value, column) => {
    squares[column] += (value - means[column]) ** 2;
  });
  const scales = squares.map((square) => Math.sqrt(square / total) || 1);
  return { means, scales };
}

/** Fisher–Yates shuffle. */
function shuffle(order: Int32Array, random: Random): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const held = order[i];
    order[i] = order[j];
    order[j] = held;
  }
}
