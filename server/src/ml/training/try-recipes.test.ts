import { expect, test } from 'vitest';
import { draws } from '../../../tests/samples.ts';
import { openTeam } from '../../lib/threads/team.ts';
import { evaluateMetric } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';
import { modelCalls } from './learning-calls.ts';
import { type Regime, trainingQuestions } from './questions.ts';
import { chooseTrial, foldsOf, type Ground, layGround } from './try-recipes.ts';

const day = 86_400_000_000;
const [entities, months] = [20, 24];
const rows = entities * months;
const at = Float64Array.from({ length: rows }, (_, i) => Math.floor(i / entities) * 30 * day);
const examples: Examples = {
  rows: Int32Array.from({ length: rows }, (_, i) => i % entities),
  at,
  labels: Float64Array.from({ length: rows }, (_, i) => i % 7),
  closes: at.map((moment) => moment + 30 * day),
};
const objective: Objective = { kind: 'regression', metric: 'mae', classes: [] };

const linear = { kind: 'linear', features: 1, loss: 'squared', l2: 1, scaling: 'rank' } as const;

/** The folds on which recipes are tried, with one uninformative feature. */
async function laidIn(regime: Regime) {
  const questions = trainingQuestions(examples, Int32Array.from(at.keys()), regime, false);
  const known = Int32Array.from(questions.example.keys());
  const matrix = { rows: known.length, features: 1, values: new Float32Array(known.length) };
  const output = { name: 'prediction', objective, examples };
  const team = openTeam(modelCalls, '', 0, null);
  const ground: Ground = {
    ...{ output, ranking: [0], foldRankings: [], reads: () => true },
    ...{ regime, questions, matrix, history: null, known, team, progress: () => {} },
  };
  const { folds } = foldsOf(examples, questions, regime);
  return (await layGround(ground, folds)).map((laid, k) => ({ ...laid, start: folds[k].start }));
}

test('the rows of a fold are answered from their moments, or from where its data stop', async () => {
  const rolling = await laidIn({ kind: 'rolling' });
  expect(rolling.length).toBe(4);
  for (const laid of rolling) expect([...laid.until]).toEqual(Array.from(laid.test, (i) => at[i]));
  const stale = await laidIn({ kind: 'stale', cut: months * 30 * day, gapMax: 90 * day, step: 90 * day });
  expect(stale.length).toBe(3);
  for (const laid of stale) {
    expect(new Set(laid.until)).toEqual(new Set([laid.start]));
    expect(new Set(Array.from(laid.test, (i) => at[i])).size).toBeGreaterThan(1);
  }
});

test('a trial is chosen for a gain beyond the errors of folds and of rows, and not for one that folds have by chance', async () => {
  const laid = await laidIn({ kind: 'rolling' });
  const draw = draws(5);
  const output = { name: 'prediction', objective, examples };
  /** Answers that are wrong by up to `error`, of each row by chance. */
  const trialOf = (error: number) => {
    const margins = laid.map(({ labels }) => labels.map((label) => label + error * (2 * draw.next() - 1)));
    const folds = laid.map(({ labels }, k) => evaluateMetric(objective.metric, labels, margins[k]).value);
    return { recipe: { name: String(error), parts: [linear] }, folds, margins };
  };
  const usual = trialOf(2);
  const [better, alike] = [trialOf(1), trialOf(2)];
  expect(chooseTrial(output, laid, [usual, alike, better])).toBe(2);
  expect(chooseTrial(output, laid, [usual, alike])).toBe(0);
  // Folds that agree by chance to the last digit say nothing that their rows do not.
  const nudged = {
    ...usual,
    folds: usual.folds.map((value) => value - 1e-3),
    margins: usual.margins.map((margins, k) =>
      margins.map((margin, row) => margin + (row % 2 === 0 ? 1 : -1) * (margin - laid[k].labels[row]) * 0.4),
    ),
  };
  expect(chooseTrial(output, laid, [usual, nudged])).toBe(0);
  // A gain of one error and a half is enough to prefer a recipe, and too little to drop rows.
  const gains = (trial: typeof usual) => trial.folds.map((value, k) => usual.folds[k] - value);
  const slightly = Array.from({ length: 200 }, (_, k) => trialOf(2 - k / 400)).find((trial) => {
    const one = chooseTrial(output, laid, [usual, trial]);
    return one === 1 && chooseTrial(output, laid, [usual, trial], 2) === 0;
  });
  expect(slightly).toBeDefined();
  expect(gains(slightly!).reduce((sum, gain) => sum + gain, 0)).toBeGreaterThan(0);
  expect(chooseTrial(output, laid.slice(0, 1), [usual, better])).toBe(0);
});
