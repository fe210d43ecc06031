import { expect, test } from 'vitest';
import { rankedFeatures } from '../heads/draws.ts';
import type { Recipe } from '../heads/recipes.ts';
import type { Trial } from './try-recipes.ts';
import { describeWidening, widen } from './widen.ts';

const loss = { kind: 'logistic' } as const;
const recipe: Recipe = {
  name: 'blend',
  parts: [
    { kind: 'trees', features: 3, loss, depth: 3, rounds: 10 },
    { kind: 'linear', features: 3, loss: 'logistic', l2: 100, scaling: 'rank' },
    { kind: 'linear', from: 9, features: 2, loss: 'logistic', l2: 100, scaling: 'plain' },
  ],
};
const chosen: Trial = { recipe, folds: [0.7, 0.8], margins: [] };

/** Folds that get better by the gains in turn. */
const openFolds = (...gains: readonly number[]) => {
  const tried: Recipe[] = [];
  const tryOn = async (wider: Recipe): Promise<Trial> => {
    tried.push(wider);
    const gain = gains[Math.min(tried.length, gains.length) - 1];
    return { recipe: wider, folds: chosen.folds.map((fold) => fold + gain), margins: [] };
  };
  return { tried, tryOn };
};

test('no time is no draw', async () => {
  const { tried, tryOn } = openFolds(0.1);
  expect(await widen(chosen, 0, true, tryOn)).toEqual({ trial: chosen, trials: [], steps: [] });
  expect(tried).toEqual([]);
});

test('draws are added while there is time, each of the parts that read by rank', async () => {
  const { tried, tryOn } = openFolds(0.01, 0.02);
  const { trial, steps } = await widen(chosen, 60, true, tryOn);
  expect(trial.recipe.name).toBe('blend, 20 draws');
  expect(tried[1].parts).toEqual([
    ...recipe.parts,
    ...[1, 2].flatMap((draw) => recipe.parts.slice(0, 2).map((part) => ({ ...part, draw }))),
  ]);
  expect(steps.slice(0, 2)).toMatchObject([
    { draws: 1, gain: expect.closeTo(0.01), mean: expect.closeTo(0.76) },
    { draws: 2, gain: expect.closeTo(0.02) },
  ]);
  expect(describeWidening('auroc', steps)).toMatch(/^auroc \+0\.0200 on the folds by 20 more draws of features in /);
});

test('draws by which folds do worse are not kept, and are told', async () => {
  const better = await widen(chosen, 60, false, openFolds(-0.01).tryOn);
  expect(better.trial.recipe.name).toBe('blend, 20 draws');
  const worse = await widen(chosen, 60, true, openFolds(-0.01).tryOn);
  expect(worse.trial).toBe(chosen);
  expect(describeWidening('auroc', worse.steps)).toContain('-0.0100 on the folds by 20 more draws');
  expect(describeWidening('auroc', worse.steps)).toContain('not kept');
});

test('a draw reads some of the best features, in their order, and another draw others', () => {
  const ranking = Array.from({ length: 100 }, (_, k) => 100 - k);
  const drawOf = (draw: number) => rankedFeatures(ranking, { features: 30, draw });
  expect(rankedFeatures(ranking, { features: 30 })).toEqual(ranking.slice(0, 30));
  for (const draw of [1, 2, 3]) {
    expect(drawOf(draw)).toHaveLength(30);
    expect(ranking.slice(0, 60).filter((feature) => drawOf(draw).includes(feature))).toEqual(drawOf(draw));
    expect(drawOf(draw)).toEqual(drawOf(draw));
  }
  expect(drawOf(1)).not.toEqual(drawOf(2));
  // Each feature is read about half the time.
  const counts = ranking.slice(0, 60).map((feature) => {
    const draws = Array.from({ length: 200 }, (_, k) => drawOf(k + 1));
    return draws.filter((drawn) => drawn.includes(feature)).length;
  });
  expect(Math.min(...counts)).toBeGreaterThan(60);
  expect(Math.max(...counts)).toBeLessThan(140);
  // Half of them where there are fewer.
  expect(rankedFeatures([5, 3, 4, 1], { features: 30, draw: 1 })).toHaveLength(2);
});
