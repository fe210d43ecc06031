// A training step of the row encoder, forward, backward and AdamW, against the matrix products in it by NumPy and its
// BLAS.
import { assert } from '../src/lib/failure.ts';
import type { Tensor } from '../src/lib/onnx/session.ts';
import { gradients } from '../src/ml/encoder/gradients.ts';
import { openParameters } from '../src/ml/encoder/layers.ts';
import { openTrainer } from '../src/ml/encoder/trainer.ts';
import { inOrder, type Value } from '../src/ml/encoder/value.ts';
import { type Heads, lossOf, type NetworkShape } from '../src/ml/rfm/network.ts';
import { batchPairs } from '../src/ml/rfm/train-steps.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { compareTurns, measure, type Row } from './figures.ts';
import { findPython, startPeer } from './processes.ts';

const turns = 5;
/** About half a second of products each. */
const stepsPerTurn: Readonly<Record<number, number>> = { 128: 24, 256: 12, 512: 5 };
const batchRows = 2 * batchPairs;

/** Heads as a lender's or a racing season's tables make them. */
const heads: Heads = { logistic: 30, numbers: 30, groups: [8, 16, 16], restored: 160 };
const inputColumns = 320;

/**
 * Steps at three widths of the body, on one thread and two; about a minute. Without the peer it says so and returns [].
 */
export async function benchEncoder(): Promise<Row[]> {
  const python = findPython('encoder', ['numpy']);
  if (!python) return [];
  const rows: Row[] = [];
  for (const threads of [1, 2]) {
    const peer = startPeer(python, 'peers/encoder.py', threads);
    try {
      for (const width of [128, 256, 512])
        rows.push(await compareStep({ inputs: inputColumns, width, blocks: 3 }, threads, peer.ask));
    } finally {
      peer.child.kill();
    }
  }
  return rows;
}

async function compareStep(
  shape: NetworkShape,
  threads: number,
  ask: ReturnType<typeof startPeer>['ask'],
): Promise<Row> {
  const made = openParameters(1);
  const { loss } = lossOf(made, batchRows, shape, heads);
  const products = productsOf(
    loss,
    made.all.map(({ name }) => name),
  );
  const flops = products.reduce((sum, { rows, inner, columns }) => sum + 2 * rows * inner * columns, 0);
  const request = { products: products.map((product) => Object.values(product)) };
  const trainer = await openTrainer(loss, made.all, { decay: 1.5, lengthMax: 1 }, {}, { threads });
  const batch = drawBatch(loss, new Set(made.all.map(({ name }) => name)));
  const steps = stepsPerTurn[shape.width];
  const ours: number[] = [];
  const theirs: number[] = [];
  let wall = Infinity;
  let peerWall = Infinity;
  let about = '';
  // The first turn warms up.
  for (let turn = 0; turn <= turns; turn++) {
    const start = performance.now();
    const seconds = await measure(async () => {
      for (let step = 0; step < steps; step++) await trainer.step(batch, 1e-4);
    });
    const took = (performance.now() - start) / steps;
    const answer = await ask({ ...request, steps });
    if (turn === 0) continue;
    ours.push((1e3 * seconds) / steps);
    theirs.push(1e3 * answer.seconds);
    wall = Math.min(wall, took);
    peerWall = Math.min(peerWall, 1e3 * answer.values![0]);
    about = answer.about ?? '';
  }
  await trainer.close();
  const name = `step of ${batchRows} rows, width ${shape.width}, ${threads} thread${threads > 1 ? 's' : ''}, vs its ${products.length} products`;
  const speed = (milliseconds: number) => `${(flops / milliseconds / 1e6).toFixed(0)} GFLOP/s`;
  const note = `${(flops / 1e9).toFixed(2)} GFLOP; by the clock ${wall.toFixed(1)} ms, peer ${peerWall.toFixed(1)} ms (${speed(peerWall)}); ${about}`;
  return compareTurns(name, ours, theirs, { unit: 'CPU ms', target: 0.5, note });
}

type Product = {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  readonly isLeftTransposed: boolean;
  readonly isRightTransposed: boolean;
};

/** The matrix products that a step computes, forward and backward. */
function productsOf(loss: Value, parameters: readonly string[]): Product[] {
  const inputs = inOrder([loss]).filter(
    ({ operation }) => operation.kind === 'input' && parameters.includes(operation.name),
  );
  assert(inputs.length === parameters.length, 'every parameter is in the loss once');
  return inOrder([loss, ...gradients(loss, inputs)]).flatMap(({ operation, of: [left], rows, columns }) => {
    if (operation.kind !== 'matmul') return [];
    const { isLeftTransposed, isRightTransposed } = operation;
    const inner = isLeftTransposed ? left.rows : left.columns;
    return [{ rows, inner, columns, isLeftTransposed, isRightTransposed }];
  });
}

/** Something to feed to every input that is no parameter: what it says makes no difference to what a step costs. */
function drawBatch(loss: Value, parameters: ReadonlySet<string>): Record<string, Tensor> {
  const random = seedRandom(2);
  const batch: Record<string, Tensor> = {};
  for (const { operation, rows, columns } of inOrder([loss])) {
    if (operation.kind !== 'input' || parameters.has(operation.name)) continue;
    const { name } = operation;
    const draw = name.endsWith('.mask') || name.endsWith('.target') ? () => Math.round(random()) : random;
    const values = Float32Array.from({ length: rows * columns }, () => (name === 'excluded' ? 0 : draw()));
    if (name.endsWith('.share')) values.fill(1 / batchRows);
    batch[name] = { dims: [rows, columns], values };
  }
  return batch;
}
