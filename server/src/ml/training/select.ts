import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Loss } from '../trees/losses.ts';
import { defaultForestOptions } from '../trees/options.ts';
import type { ForestOrder } from './learning-calls.ts';
import { binTogether, type ModelTeam } from './learning-team.ts';

/** Seeds whose gains are summed. With a single seed, chance would decide between nearly equal features. */
const seeds = [11, 12, 13];

/** The rows by which features are ranked, the label of each, and the loss by which these are learned. */
export type LabelledRows = { readonly rows: Int32Array; readonly labels: Float64Array; readonly loss: Loss };

/** So many sets are ranked together: enough to keep threads busy, and their bins are held at once. */
const togetherMax = 8;

/**
 * Ranks features for each set by their gain in a first boosting on its rows, best first, at most `most`. Constants,
 * features without gain and near-duplicates of better features are left out. A ranking reads only its own rows and
 * their labels. `told`: how many of `of` sets are ranked, about.
 */
export async function selectFeatures(
  team: ModelTeam,
  matrix: FeatureMatrix,
  sets: readonly LabelledRows[],
  most: number,
  told: (ranked: number, of: number) => void = () => {},
): Promise<number[][]> {
  const rankings: number[][] = [];
  for (let from = 0; from < sets.length; from += togetherMax) {
    const together = sets.slice(from, from + togetherMax);
    rankings.push(...(await rankTogether(team, matrix, together, most, (ranked) => told(from + ranked, sets.length))));
  }
  return rankings;
}

async function rankTogether(
  team: ModelTeam,
  matrix: FeatureMatrix,
  sets: readonly LabelledRows[],
  most: number,
  told: (ranked: number) => void,
): Promise<number[][]> {
  const orders: ForestOrder[] = [];
  for (const { rows, labels, loss } of sets) {
    const binned = await binTogether(team, matrix, rows);
    const minChildWeight = Math.min(rows.length < 2000 ? 3 : 8, weightOf(labels, loss) * leafShareMin);
    for (const seed of seeds) orders.push({ binned, labels, options: { ...boosting, loss, minChildWeight, seed } });
  }
  const gained = await team.each('gains', orders, {
    told: (begun) => told(Math.floor(begun / seeds.length)),
    costOf: ({ labels }) => labels.length,
  });
  return team.each(
    'distinct',
    sets.map((set, g) => {
      const gains = new Float64Array(matrix.features);
      for (const own of gained.slice(g * seeds.length, (g + 1) * seeds.length))
        for (let f = 0; f < gains.length; f++) gains[f] += own[f];
      const ranked = Array.from(gains.keys())
        .filter((f) => gains[f] > 0)
        .sort((a, b) => gains[b] - gains[a] || a - b);
      return { matrix, ...set, ranked, most };
    }),
  );
}

const boosting = { ...defaultForestOptions, rounds: 100, depthMax: 4, leavesMax: 12, columnSample: 0.12 };

/**
 * A leaf needs no more than this share of the total weight; otherwise, with few positives, no leaf could be split off.
 */
const leafShareMin = 0.1;

/** The total weight of the rows at the first boosting step, by the second derivative of the loss. */
function weightOf(labels: Float64Array, { kind }: Loss): number {
  if (kind !== 'logistic') return labels.length;
  const yes = labels.reduce((sum, label) => sum + label, 0);
  return yes * (1 - yes / labels.length);
}
