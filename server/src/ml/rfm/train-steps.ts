import { openSession, type Session } from '../../lib/onnx/session.ts';
import { openParameters, type Parameter } from '../encoder/layers.ts';
import { modelOf } from '../encoder/model.ts';
import { rateAt } from '../encoder/optimiser.ts';
import { openTrainer } from '../encoder/trainer.ts';
import { seedRandom } from '../statistics/random.ts';
import { batchOf } from './batch.ts';
import type { Said } from './evaluate.ts';
import type { Weights } from './forward.ts';
import { type Heads, lossOf, type NetworkShape } from './network.ts';
import type { MomentSample } from './sample.ts';

export type TrainOptions = {
  readonly seed: number;
  readonly steps: number;
  /**
   * Called every `lookEvery` steps and after the last step, with the current predictions for `looked` by the heads of
   * each prefix, longest first.
   */
  readonly looked?: MomentSample;
  readonly look?: (step: number, said: readonly Said[], parameters: readonly Parameter[]) => void;
  /** Initial values of parameters by name; the others are drawn. */
  readonly initial?: Weights;
  /** The highest learning rate. */
  readonly rate?: number;
  /** How many of the last pairs of the sample have labels; they make up a quarter of each batch. */
  readonly labelled?: number;
  readonly progress: (step: number) => void;
};

/** Pairs of moments in a batch. */
export const batchPairs = 192;
const lookEvery = 100;
/** Share of each batch that has labels, when fine-tuning on a label. */
const labelledShare = 0.25;
const peakRate = 0.002;
const warmUpSteps = 60;
/**
 * Loss of the heads on later moments relative to a constant's, with a decay of 0.05, 0.5 and 1.5: 0.877, 0.866, 0.851
 * (rel-f1); 0.824, 0.812, 0.791 (Berka).
 */
const options = { decay: 1.5, lengthMax: 1 };

export type TrainedSteps = {
  readonly parameters: readonly Parameter[];
  /** Predictions for a sample by the heads of each prefix, longest first. */
  say(sample: MomentSample): Promise<readonly Said[]>;
  /** Embeddings of the first rows of a sample, before rotation: rows × width. */
  embed(sample: MomentSample, pairs: number): Promise<Float32Array>;
  close(): Promise<void>;
};

/** Trains a network on the targets of a sample. The same arguments give the same bytes. */
export async function trainSteps(
  sample: MomentSample,
  shape: NetworkShape,
  heads: Heads,
  given: TrainOptions,
): Promise<TrainedSteps> {
  const made = openParameters(given.seed);
  const { loss, predictions, embeddings } = lossOf(made, 2 * batchPairs, shape, heads);
  const parameters = made.all;
  for (const { name, values } of parameters) {
    const known = given.initial?.get(name);
    if (known) values.set(known);
  }
  const trainer = await openTrainer(loss, parameters, options);
  const results = Object.fromEntries(
    predictions.flatMap((kinds, p) => Object.entries(kinds).map(([kind, value]) => [`${kind}${p}`, value])),
  );
  const observer = await openSession(modelOf({ embeddings, ...results }));
  const weights = () =>
    Object.fromEntries(parameters.map(({ name, rows, columns, values }) => [name, { dims: [rows, columns], values }]));
  const random = seedRandom(given.seed + 1);
  const pairs = sample.entities.length / 2;
  const { labelled = 0, rate = peakRate } = given;
  for (let step = 0; step < given.steps; step++) {
    const drawn = Array.from({ length: batchPairs }, () =>
      labelled > 0 && random() < labelledShare
        ? pairs - labelled + Math.floor(random() * labelled)
        : Math.floor(random() * (pairs - labelled)),
    );
    await trainer.step(batchOf(sample, drawn, shape, heads, random), rateAt(step, given.steps, warmUpSteps, rate));
    given.progress(step);
    if (given.looked && given.look && ((step + 1) % lookEvery === 0 || step + 1 === given.steps))
      given.look(step + 1, await ask(observer, weights(), given.looked, predictions.length, shape, heads), parameters);
  }
  await trainer.close();
  return {
    parameters,
    say: (asked) => ask(observer, weights(), asked, predictions.length, shape, heads),
    async embed(asked, count) {
      const embedded = new Float32Array(2 * count * shape.width);
      await eachBatch(observer, weights(), asked, count, shape, heads, (found, into) => {
        scatter(found.embeddings!, embedded, shape.width, into);
      });
      return embedded;
    },
    close: () => observer.close(),
  };
}

async function ask(
  observer: Session,
  weights: Fed,
  sample: MomentSample,
  prefixes: number,
  shape: NetworkShape,
  heads: Heads,
): Promise<Said[]> {
  const said = Array.from({ length: prefixes }, () => ({
    logistic: new Float32Array(sample.logistic.length),
    numbers: new Float32Array(sample.numbers.length),
    groups: new Float32Array(sample.groups.length),
    ...(heads.label && { label: new Float32Array(sample.entities.length) }),
  }));
  const rows = sample.entities.length;
  await eachBatch(observer, weights, sample, rows / 2, shape, heads, (found, into) => {
    for (const [p, kinds] of said.entries()) {
      for (const kind of ['logistic', 'numbers', 'groups', 'label'] as const) {
        const [values, own] = [found[`${kind}${p}`], kinds[kind]];
        if (values && own) scatter(values, own, own.length / rows, into);
      }
    }
  });
  return said;
}

type Fed = Parameters<Session['run']>[0];
/** The results of a batch by name, and for each row of the batch its row in the sample; -1 for padding. */
type Take = (found: Record<string, Float32Array>, rows: Int32Array) => void;

async function eachBatch(
  observer: Session,
  weights: Fed,
  sample: MomentSample,
  pairs: number,
  shape: NetworkShape,
  heads: Heads,
  take: Take,
): Promise<void> {
  for (let from = 0; from < pairs; from += batchPairs) {
    const asked = Array.from({ length: batchPairs }, (_, k) => Math.min(pairs - 1, from + k));
    const results = await observer.run({ ...weights, ...batchOf(sample, asked, shape, heads, null) });
    const rows = Int32Array.from({ length: 2 * batchPairs }, (_, i) => {
      const k = i % batchPairs;
      return from + k >= pairs ? -1 : 2 * (from + k) + Number(i >= batchPairs);
    });
    take(Object.fromEntries(Object.entries(results).map(([name, { values }]) => [name, values])), rows);
  }
}

function scatter(values: Float32Array, into: Float32Array, columns: number, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++)
    if (rows[i] >= 0) into.set(values.subarray(i * columns, (i + 1) * columns), rows[i] * columns);
}
