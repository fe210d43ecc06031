import type { Parameter } from './layers.ts';

/** The state of AdamW (Loshchilov & Hutter 2019): two moments per number of each parameter, and the number of steps. */
export type Optimiser = {
  steps: number;
  readonly first: readonly Float32Array[];
  readonly second: readonly Float32Array[];
};

export type OptimiserOptions = {
  readonly decay: number;
  /** Gradients with a greater joint length are scaled down to it. */
  readonly lengthMax: number;
};

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-8;

export function openOptimiser(parameters: readonly Parameter[]): Optimiser {
  const zeros = () => parameters.map(({ values }) => new Float32Array(values.length));
  return { steps: 0, first: zeros(), second: zeros() };
}

/** Takes one AdamW step against the gradients (one array per parameter). Sums run in a fixed order. */
export function takeStep(
  optimiser: Optimiser,
  parameters: readonly Parameter[],
  gradients: readonly Float32Array[],
  rate: number,
  { decay, lengthMax }: OptimiserOptions,
): void {
  const steps = ++optimiser.steps;
  const length = lengthOf(gradients);
  const shrink = length > lengthMax ? lengthMax / length : 1;
  const firstScale = 1 / (1 - beta1 ** steps);
  const secondScale = 1 / (1 - beta2 ** steps);
  for (const [p, { values, isDecayed }] of parameters.entries()) {
    const keep = isDecayed ? 1 - rate * decay : 1;
    const [gradient, first, second] = [gradients[p], optimiser.first[p], optimiser.second[p]];
    for (let i = 0; i < values.length; i++) {
      const g = gradient[i] * shrink;
      const m = (first[i] = beta1 * first[i] + (1 - beta1) * g);
      const v = (second[i] = beta2 * second[i] + (1 - beta2) * g * g);
      values[i] = keep * values[i] - (rate * m * firstScale) / (Math.sqrt(v * secondScale) + epsilon);
    }
  }
}

/** The Euclidean length of all gradients as one vector. */
export function lengthOf(gradients: readonly Float32Array[]): number {
  let squares = 0;
  for (const gradient of gradients) for (let i = 0; i < gradient.length; i++) squares += gradient[i] * gradient[i];
  return Math.sqrt(squares);
}

/**
 * The learning rate of step `step` (from 0) out of `steps`: a linear rise over `warmUp` steps, then half a cosine down
 * to zero.
 */
export function rateAt(step: number, steps: number, warmUp: number, peak: number): number {
  if (step < warmUp) return (peak * (step + 1)) / warmUp;
  const share = (step - warmUp) / Math.max(1, steps - warmUp);
  return peak * 0.5 * (1 + Math.cos(Math.PI * Math.min(1, share)));
}
