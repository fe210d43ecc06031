import { expect, test } from 'vitest';
import { Failure } from '../lib/failure.ts';
import { ProcessDied } from '../lib/processes/pool.ts';
import { attempt } from './attempt.ts';
import type { Job, JobFailure } from './job.ts';

const log = { warn: () => {} };
const never = new AbortController().signal;
const died = new ProcessDied('train', null, 'SIGKILL');

/** A job whose first runs throw these errors, with the failures given to `giveUp`. */
function jobThrowing(...errors: readonly unknown[]) {
  const given: JobFailure[] = [];
  let runs = 0;
  const job: Job = {
    queue: 'work',
    perGroup: 1,
    leaves: 0,
    async run() {
      const error = errors[runs++];
      if (error !== undefined) throw error;
    },
    async giveUp(_, failure) {
      given.push(failure);
    },
  };
  return { given, runs: () => runs, handle: attempt(job, log) };
}

test('what fails is tried again until the sixth time, which gives it up with its reason', async () => {
  const { given, handle } = jobThrowing(...Array.from({ length: 6 }, () => died));
  for (const failures of [0, 1, 2, 3, 4]) await expect(handle({}, never, failures)).rejects.toBe(died);
  expect(given).toEqual([]);
  await handle({}, never, 5);
  expect(given).toEqual([{ code: 'internal', detail: expect.stringContaining('ended by SIGKILL') }]);
});

test('what killed six workers is not begun again', async () => {
  const { given, runs, handle } = jobThrowing();
  await handle({}, never, 6);
  expect(runs()).toBe(0);
  expect(given).toEqual([{ code: 'internal', detail: expect.stringContaining('the worker that did it died') }]);
});

test('what is away for a moment costs no attempt', async () => {
  const { given, runs, handle } = jobThrowing(new Failure('unavailable', 'The storage does not answer.'));
  await handle({}, never, 5);
  expect(runs()).toBe(2);
  expect(given).toEqual([]);
});

test('a job that is stopped is neither waited for nor given up', async () => {
  for (const error of [died, new Failure('unavailable', 'The service is stopping.')]) {
    const { given, runs, handle } = jobThrowing(error);
    await expect(handle({}, AbortSignal.abort(), 5)).rejects.toBe(error);
    expect(runs()).toBe(1);
    expect(given).toEqual([]);
  }
});

test('what no attempt can change is given up at once; bytes that vanished are looked for again', async () => {
  const refusal = new Failure('conflict', 'The file has been deleted.', { reason: 'file_deleted' });
  const { given, handle } = jobThrowing(refusal);
  await handle({}, never, 0);
  expect(given).toEqual([{ code: 'file_deleted', detail: 'The file has been deleted.' }]);

  const vanished = new Failure('not_found', 'Nothing is stored under org_1/ws_1/identifiers/dic_1.');
  const replaced = jobThrowing(vanished, vanished);
  await expect(replaced.handle({}, never, 0)).rejects.toBe(vanished);
  await replaced.handle({}, never, 5);
  expect(replaced.given).toEqual([{ code: 'gone', detail: expect.not.stringContaining('org_1') }]);
});

test('a stored file that is gone when it is opened is looked for once more', async () => {
  const gone = new Failure('not_found', 'tables cannot be read', { reason: 'object_damaged' });
  const { given, handle } = jobThrowing(gone, gone);
  await expect(handle({}, never, 0)).rejects.toBe(gone);
  expect(given).toEqual([]);
  await handle({}, never, 1);
  expect(given).toEqual([{ code: 'object_damaged', detail: expect.stringContaining('cannot be read as stored') }]);
});

test('a fault of ours is told without its words, a full disk as what it is', async () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  const told = [];
  for (const error of [
    new TypeError('secret'),
    new Failure('gone', 'The file has gone.', { reason: 'file_deleted' }),
  ]) {
    const { given, handle } = jobThrowing(error);
    await handle({}, never, 5);
    told.push(...given);
  }
  expect(told).toEqual([
    { code: 'internal', detail: expect.not.stringContaining('secret') },
    { code: 'file_deleted', detail: 'The file has gone.' },
  ]);
  const { runs, handle } = jobThrowing(full);
  await handle({}, never, 5);
  expect(runs()).toBe(2);
});
