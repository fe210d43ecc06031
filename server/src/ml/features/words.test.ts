import { describe, expect, test } from 'vitest';
import { day } from '../../../tests/samples.ts';
import { makeProjects, projectWindowDays } from '../../../tests/synthetic.ts';
import { openSynthetic, valuesOf } from '../../../tests/synthetic-measure.ts';
import { openWord, wordsOf } from '../events/words.ts';
import type { Feature } from './feature.ts';

test('words are runs of letters and digits of any script, once each, lower case', () => {
  expect(wordsOf('Ação de ação, X: 12 mg/dl (É-mail) 中文')).toEqual(['ação', 'de', '12', 'mg', 'dl', 'mail', '中文']);
  expect(wordsOf('')).toEqual([]);
  expect(wordsOf('word '.repeat(2_000)).length).toBe(1);
});

test('a text has the words it is taken apart into, and no part of them', () => {
  const dictionary = ['Ação de ação, X: 12 mg/dl (É-mail) 中文', 'rediscovered, covered; cover-all', ''];
  const codes = new Int32Array(0);
  for (const word of ['ação', 'de', '12', 'mg', 'mail', '中文', 'cover', 'covered', 'all', 'discovered', 'over']) {
    const has = openWord({ kind: 'text', codes, dictionary }, word);
    expect(dictionary.map((_, code) => has(code))).toEqual(
      dictionary.map((text) => Number(wordsOf(text).includes(word))),
    );
  }
});

describe('how rows with the same words ended', () => {
  const projects = makeProjects(300, { words: 1.5 }, 3);
  const opened = openSynthetic(projects);
  const asked = Int32Array.of(5, 40, 150, 299);
  const ways = ['mean', 'sum', 'highest', 'lowest'] as const;
  const features = ways.map(
    (as): Feature => ({ focus: { kind: 'root' }, read: { kind: 'words', column: 'summary', via: ['entity'], as } }),
  );

  test('is the smoothed mean of the labels whose window had closed, by definition', () => {
    const values = valuesOf(opened, features, asked);
    asked.forEach((i, k) => {
      const { at, key } = projects.labels[i];
      const textOf = (project: number) => String(projects.data.project[project - 1].summary);
      const known = projects.labels.filter((label) => label.at + projectWindowDays * day <= at);
      const usual = known.reduce((sum, { label }) => sum + label, 0) / known.length;
      const rates = wordsOf(textOf(key)).flatMap((word) => {
        const own = known.filter((label) => wordsOf(textOf(label.key)).includes(word));
        return own.length === 0
          ? []
          : [(own.reduce((sum, { label }) => sum + label, 0) + 10 * usual) / (own.length + 10)];
      });
      const sum = rates.reduce((total, rate) => total + rate - usual, 0);
      const expected = [usual + sum / rates.length, sum, Math.max(...rates), Math.min(...rates)];
      const found = values.map((of) => of[k]);
      if (known.length === 0) expect(found).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
      else for (const [f, value] of found.entries()) expect(value).toBeCloseTo(expected[f], 5);
    });
  });

  test('the word itself is there or not', () => {
    const read = { kind: 'word', column: 'summary', word: 'safe' } as const;
    const [found] = valuesOf(opened, [{ focus: { kind: 'root' }, read }], Int32Array.from(projects.labels.keys()));
    const summaries = projects.data.project.map(({ summary }) => String(summary).split(' '));
    expect([...found]).toEqual(summaries.map((words) => Number(words.includes('safe'))));
    expect(new Set(found).size).toBe(2);
  });
});
