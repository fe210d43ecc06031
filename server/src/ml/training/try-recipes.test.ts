import { expect, test } from 'vitest';
import type { Objective } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';
import { type Regime, trainingQuestions } from './questions.ts';
import { foldsOf, type Ground, layGround } from './try-recipes.ts';

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

/** The folds on which recipes are tried, with one uninformative feature. */
function laidIn(regime: Regime) {
  const questions = trainingQuestions(examples, Int32Array.from(at.keys()), regime, false);
  const known = Int32Array.from(questions.example.keys());
  const matrix = { rows: known.length, features: 1, values: new Float32Array(known.length) };
  const output = { name: 'prediction', objective, examples };
  const ground: Ground = { output, ranking: [0], regime, questions, matrix, history: null, known, progress: () => {} };
  const { folds } = foldsOf(examples, questions, regime);
  return layGround(ground, folds).map((laid, k) => ({ ...laid, start: folds[k].start }));
}

test('the rows of a fold are answered from their moments, or from where its data stop', () => {
  const rolling = laidIn({ kind: 'rolling' });
  expect(rolling.length).toBe(4);
  for (const laid of rolling) expect([...laid.until]).toEqual(Array.from(laid.test, (i) => at[i]));
  const stale = laidIn({ kind: 'stale', cut: months * 30 * day, gapMax: 90 * day, step: 90 * day });
  expect(stale.length).toBe(3);
  for (const laid of stale) {
    expect(new Set(laid.until)).toEqual(new Set([laid.start]));
    expect(new Set(Array.from(laid.test, (i) => at[i])).size).toBeGreaterThan(1);
  }
});
