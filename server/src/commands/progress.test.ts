import { expect, test } from 'vitest';
import { openProgress } from './progress.ts';

function record() {
  const lines: string[] = [];
  let now = 0;
  const progress = openProgress(
    (line) => lines.push(line),
    () => now,
  );
  return { lines, progress, pass: (ms: number) => (now += ms) };
}

test('a phase is told when it starts and then no more than every two seconds', () => {
  const { lines, progress, pass } = record();
  progress.phase('reading', 0, 200);
  for (let done = 1; done < 100; done++) {
    pass(100);
    progress.phase('reading', done, 200);
  }
  expect(lines).toEqual([
    '[   0 s] reading',
    '[   2 s] reading 10 %',
    '[   4 s] reading 20 %',
    '[   6 s] reading 30 %',
    '[   8 s] reading 40 %',
  ]);
});

test('what nobody knows the size of is counted', () => {
  const { lines, progress, pass } = record();
  for (let done = 1000; done <= 4000; done += 1000) {
    progress.phase('rows predicted', done, 0);
    pass(1500);
  }
  expect(lines).toEqual(['[   0 s] rows predicted: 1000', '[   3 s] rows predicted: 3000']);
});

test('a phase that has nothing new to tell is not repeated', () => {
  const { lines, progress, pass } = record();
  progress.phase('selecting', 0, 1);
  pass(5000);
  progress.phase('selecting', 0, 1);
  progress.say('done');
  expect(lines).toEqual(['[   0 s] selecting', '[   5 s] done']);
});
