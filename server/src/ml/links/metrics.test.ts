import { expect, test } from 'vitest';
import { Candidates } from './candidates.ts';
import { rankByView, rankTruth, Tally } from './metrics.ts';

/** Entities 0 … 9, some of which have scores. */
function scored(scores: Readonly<Record<number, number>>) {
  const candidates = new Candidates(10);
  const values = Object.entries(scores).map(([entity, score]) => {
    candidates.placeOf(Number(entity));
    return score;
  });
  return { candidates, score: (place: number) => values[place] };
}

const truths = (...entities: number[]) => Uint8Array.from({ length: 10 }, (_, e) => (entities.includes(e) ? 1 : 0));
const noRest = new Float64Array(10);

test('a rank counts who is better, and half of who ties', () => {
  const { candidates, score } = scored({ 3: 0.9, 4: 0.5, 5: 0.5, 6: 0.5, 7: 0.1 });
  const rank = (truth: number) => rankTruth(truth, truths(truth), candidates, score, noRest);
  expect([3, 4, 5, 7].map(rank)).toEqual([1, 3, 3, 5]);
});

test('other truths of the same question are passed over, wherever they stand', () => {
  const { candidates, score } = scored({ 3: 0.9, 4: 0.8, 5: 0.5, 6: 0.5 });
  expect(rankTruth(5, truths(5), candidates, score, noRest)).toBe(3.5);
  expect(rankTruth(5, truths(5, 3), candidates, score, noRest)).toBe(2.5);
  expect(rankTruth(5, truths(5, 3, 6), candidates, score, noRest)).toBe(2);
  // Truths without a score: one is ahead of the asked one by activity, one is tied with it.
  const rest = Float64Array.of(5, 4, 4, 0, 0, 0, 0, 4, 1, 1);
  expect(rankTruth(1, truths(1), candidates, score, rest)).toBe(4 + 1 + 1 + 1);
  expect(rankTruth(1, truths(1, 0), candidates, score, rest)).toBe(4 + 0 + 1 + 1);
  expect(rankTruth(1, truths(1, 0, 7, 3), candidates, score, rest)).toBe(3 + 0 + 1 + 0.5);
});

test('what a view says nothing of ties with what it gives its least score', () => {
  const { candidates, score } = scored({ 3: 0.9, 4: 0, 5: 0 });
  const rank = (truth: number, ...others: number[]) => {
    const known = truths(truth, ...others);
    return rankByView(truth, known, candidates, score, { least: 0, entities: 10, truths: 1 + others.length });
  };
  // Nine entities are at 0, scored or not: eight besides this one.
  expect(rank(3)).toBe(1);
  expect(rank(4)).toBe(1 + 1 + 8 / 2);
  expect(rank(8)).toBe(1 + 1 + 8 / 2);
  expect(rank(8, 9, 3, 5)).toBe(1 + 0 + 6 / 2);
});

test('measures are means over ranks, and their error is that of whole periods', () => {
  const tally = new Tally();
  for (const [rank, time] of [
    [1, 0],
    [2, 0],
    [4, 1],
    [20, 1],
  ])
    tally.add(rank, time);
  const mrr = (1 + 1 / 2 + 1 / 4 + 1 / 20) / 4;
  const measures = tally.measures();
  expect(measures).toMatchObject({ questions: 4, hits_at_1: 0.25, hits_at_3: 0.5, hits_at_10: 0.75 });
  expect(measures.mrr).toBeCloseTo(mrr, 15);
  // Two periods of equal size: the standard error of the mean of their two means.
  const [one, other] = [1.5 / 2, 0.3 / 2];
  expect(measures.standard_error).toBeCloseTo(Math.abs(one - other) / 2, 12);
});
