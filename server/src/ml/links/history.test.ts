import { expect, test } from 'vitest';
import { periodsOfRows } from '../../../tests/support/samples/links.ts';
import { Candidates, gatherCandidates } from './candidates.ts';
import { History } from './history.ts';
import { learnRules, openRules } from './rules.ts';

const periods = periodsOfRows([
  [0, 0, 1, 1],
  [0, 0, 2, 2],
]);

test('a history takes periods in order of time alone', () => {
  const history = new History(3, 1, [1]);
  for (const period of periods) history.add(period);
  expect(() => history.add(periods[1])).toThrow('in order of time');
  expect(() => history.add(periods[0])).toThrow('in order of time');
});

test('a history with facts of the time asked about, or later, answers nobody, and one of earlier facts does', () => {
  const history = new History(3, 1, [1]);
  for (const period of periods) history.add(period);
  const rules = openRules(64);
  const candidates = new Candidates(3);
  const gather = (time: number) => gatherCandidates(candidates, history, rules, 0, 0, time);
  const learn = (time: number) => learnRules(rules, history, [], time);
  for (const ask of [gather, learn])
    for (const time of [1, 2]) expect(() => ask(time)).toThrow('only facts before the time asked about are read');
  learn(3);
  gather(3);
  expect(Array.from(candidates.entities.subarray(0, candidates.size)).sort()).toEqual([1, 2]);
});
