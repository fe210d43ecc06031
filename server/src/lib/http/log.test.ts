import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { openLog } from './log.ts';

/** What the log writes about an error. */
function told(error: unknown) {
  const lines: string[] = [];
  openLog('warn', { write: (line) => void lines.push(line) }).warn({ err: error }, 'job given up');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]).err;
}

test('what is wrong with the data is told in its sentence, without a stack', () => {
  const wrong = new Failure('invalid', 'train.csv has no column date', {
    problems: [{ at: 'train.csv', message: 'x' }],
  });
  expect(told(wrong)).toEqual({ type: 'Failure', code: 'invalid', message: 'train.csv has no column date' });
  const away = new Failure('unavailable', 'the storage does not answer', { cause: new Error('connect ECONNREFUSED') });
  expect(told(away)).toEqual({
    type: 'Failure',
    code: 'unavailable',
    message: 'the storage does not answer',
    cause: 'connect ECONNREFUSED',
  });
});

test('a fault of ours is told with its stack', () => {
  for (const error of [new Error('assertion failed'), new Failure('internal', 'it broke')])
    expect(told(error)).toMatchObject({ message: error.message, stack: expect.stringContaining('log.test.ts') });
});
