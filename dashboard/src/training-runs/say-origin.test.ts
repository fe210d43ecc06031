import { expect, test } from 'vitest';
import type { Format } from '../words/format.ts';
import type { originWords } from './origin-words.ts';
import { type Origin, runsBefore, sayOrigin } from './say-origin.ts';

/** As much of a format, and of the words, as runs ask for. */
const format = { integer: String, day: String, dateTime: String } as unknown as Format;
const w = {
  until: (day: string) => `until ${day}`,
  takenIn: (when: string) => `taken in ${when}`,
  untilTakenIn: (day: string, when: string) => `until ${day}, taken in ${when}`,
  contract: (number: string) => `contract ${number}`,
  ...{ pretrain: 'pre-trained', noPretrain: 'not pre-trained', feedback: 'fine-tuned', noFeedback: 'not fine-tuned' },
  ...{ gfm: 'graph model', otherGfm: 'another graph model', noGfm: 'no graph model', same: 'as before' },
} as unknown as (typeof originWords)['en'];

const first: Origin = {
  created_by: null,
  created_at: '2026-03-02T12:00:00Z',
  snapshot_id: 'snp_1',
  snapshot_created_at: '2026-03-01T12:00:00Z',
  data_until: '2026-02-28',
  contract_number: 1,
  pretrain: false,
  feedback: false,
  gfm_version_id: null,
};
const say = (of: Origin, before?: Origin) =>
  sayOrigin(of, before, w, format).map(({ text, differs }) => (differs ? `*${text}` : text));

test('a run says its data and contract, and only the options that it has', () => {
  expect(say(first)).toEqual(['until 2026-02-28', 'contract 1']);
  expect(say({ ...first, pretrain: true })).toEqual(['until 2026-02-28', 'contract 1', 'pre-trained']);
});

test('what is other than in the run before is marked and comes first, an option that is gone included', () => {
  const data = { snapshot_id: 'snp_2', data_until: '2026-03-31', snapshot_created_at: '2026-04-01T12:00:00Z' };
  const now = { ...first, ...data, contract_number: 2, gfm_version_id: 'gfm_1' };
  expect(say(now, { ...first, pretrain: true })).toEqual([
    '*until 2026-03-31',
    '*contract 2',
    '*not pre-trained',
    '*graph model',
  ]);
  expect(say({ ...now, gfm_version_id: 'gfm_2' }, now)[0]).toBe('*another graph model');
});

test('two runs that were asked alike say so', () => {
  expect(say(first, first)).toEqual(['until 2026-02-28', 'contract 1', 'as before']);
});

test('other data of the same day, and data with days ahead, say when they were taken in', () => {
  expect(say({ ...first, snapshot_id: 'snp_2' }, first)[0]).toBe('*until 2026-02-28, taken in 2026-03-01T12:00:00Z');
  expect(say({ ...first, data_until: '2026-09-30' })[0]).toBe('taken in 2026-03-01T12:00:00Z');
});

test('the run before is the next older one of the same task', () => {
  const run = (id: string, task_id: string | null, entity: string | null = null) => ({ id, task_id, entity });
  const runs = [run('5', 'a'), run('4', null, 't'), run('3', 'b'), run('2', 'a'), run('1', null, 't')];
  expect([...runsBefore(runs)].map(([id, before]) => [id, before.id])).toEqual([
    ['5', '2'],
    ['4', '1'],
  ]);
});
