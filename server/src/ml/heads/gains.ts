import { forestGains } from '../trees/forest.ts';
import type { Head, Model } from './head.ts';

/**
 * Each feature's share of the importance of the models, summed over heads and models: of trees the gain of their
 * splits, of linear models the absolute coefficients, which are of scaled columns and so compare, and how far the
 * effects of categories spread.
 */
export function featureGains(heads: readonly Head[], features: number): Float64Array {
  const gains = new Float64Array(features);
  for (const model of heads.flat()) {
    const own = gainsOf(model, features);
    const total = own.reduce((a, b) => a + b, 0);
    if (total > 0) for (let f = 0; f < features; f++) gains[f] += own[f] / total;
  }
  return gains;
}

function gainsOf(model: Model, features: number): Float64Array {
  if (model.kind === 'trees') return forestGains(model.forest);
  const gains = new Float64Array(features);
  for (const { feature, map, weight, missing } of model.linear.terms)
    gains[feature] +=
      Math.abs(weight) * (map.kind === 'effects' ? spreadOf(map.effects) : 1) + Math.abs(missing?.weight ?? 0);
  return gains;
}

function spreadOf(effects: readonly number[]): number {
  return Math.sqrt(effects.reduce((sum, effect) => sum + effect ** 2, 0) / Math.max(1, effects.length));
}
