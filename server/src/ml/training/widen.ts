import { drawnParts } from '../heads/draws.ts';
import type { Trial } from './try-recipes.ts';
import { meanOf } from './try-recipes.ts';

/** A draw of features that a recipe was widened by. */
export type Widening = {
  /** Draws so far. */
  readonly draws: number;
  /** The metric of the task on the folds, and by how much it is better than without draws. */
  readonly mean: number;
  readonly gain: number;
  /** What the folds took so far. */
  readonly minutes: number;
};

/** More draws than this were never seen to help. */
const drawsMax = 20;

/**
 * What a draw costs besides the folds, in times of what it took on them: the final model has more seeds and all rows,
 * and the shares of newer rows are tried with it.
 */
const costAfter = 3;

/**
 * Widens a recipe by draws of its features (`drawnParts`), which are averaged with it, for as long as `minutes` have
 * room for one more. The more models are averaged, the less each one's chances weigh: all draws are kept, unless the
 * folds do worse with them than without. `tryOn` tries recipes on the folds.
 *
 * How many draws there is time for depends on the machine; all else of a model is the same whatever it is trained on.
 */
export async function widen(
  chosen: Trial,
  minutes: number,
  higherIsBetter: boolean,
  tryOn: (recipe: Trial['recipe']) => Promise<Trial>,
): Promise<{ readonly trial: Trial; readonly trials: readonly Trial[]; readonly steps: readonly Widening[] }> {
  const start = performance.now();
  const trials: Trial[] = [];
  const steps: Widening[] = [];
  const spent = () => (performance.now() - start) / 60_000;
  const hasRoom = () => {
    const each = steps.length === 0 ? 0 : spent() / steps.length;
    return (spent() + each) * (1 + costAfter) < minutes;
  };
  for (let draw = 1; draw <= drawsMax && hasRoom(); draw++) {
    const before = trials.at(-1)?.recipe ?? chosen.recipe;
    const parts = drawnParts(chosen.recipe.parts, draw);
    if (parts.length === 0) break;
    const name = `${chosen.recipe.name}, ${draw} ${draw === 1 ? 'draw' : 'draws'}`;
    const trial = await tryOn({ name, parts: [...before.parts, ...parts] });
    const mean = meanOf(trial.folds);
    const gain = (mean - meanOf(chosen.folds)) * (higherIsBetter ? 1 : -1);
    trials.push(trial);
    steps.push({ draws: draw, mean, gain, minutes: spent() });
  }
  const isKept = steps.length > 0 && !(steps.at(-1)!.gain < 0);
  return { trial: isKept ? trials.at(-1)! : chosen, trials, steps };
}

/** What widening gained, in one line: by the draws that there was time for, and for each minute. */
export function describeWidening(metric: string, steps: readonly Widening[]): string | null {
  const last = steps.at(-1);
  if (!last) return null;
  const { draws, gain, minutes } = last;
  const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
  const kept = gain < 0 ? ', which was not kept' : '';
  return `${metric} ${signed(gain)} on the folds by ${draws} more ${draws === 1 ? 'draw' : 'draws'} of features in ${minutes.toFixed(1)} minutes, ${signed(gain / minutes)} a minute${kept}`;
}
