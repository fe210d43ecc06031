import { expect, test } from 'vitest';
import { mismatch, trimBlanks } from '../../lib/files/values.ts';
import { parseMeasure } from './measures.ts';
import { compilePattern, patternProblem } from './pattern.ts';

test.each([
  ['^[A-Z]{2}\\d{4}$', ['AB1234'], ['AB123', 'xAB1234', 'AB12345', 'AB1234\n']],
  ['^(open|closed|in progress)$', ['open', 'in progress'], ['opened', '']],
  ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', ['a.b@c.example'], ['a@b', 'a b@c.de']],
  ['\\d{3}', ['x123y'], ['12']],
  ['^\\p{Lu}\\p{L}*$', ['Ação'], ['ação', 'A1']],
  ['^[a-z\\u00e0-\\u00ff]+$', ['ação'], ['a☃']],
  ['^\\u{1F600}$', ['😀'], ['\u{1F601}']],
  ['^(?:ab)+$', ['abab'], ['aba']],
  ['^(a+)+$', ['aaaa'], ['aab']],
  ['^a\\.b\\/c$', ['a.b/c'], ['aXb/c']],
  ['^.$', ['é', '😀'], ['', 'ab', '\n']],
])('%s matches what it matched on the engine of JavaScript', (pattern, matching, others) => {
  expect(patternProblem(pattern)).toBeNull();
  const compiled = compilePattern(pattern, 'x');
  const usual = new RegExp(pattern, 'u');
  for (const text of [...matching, ...others]) expect([text, compiled.test(text)]).toEqual([text, usual.test(text)]);
  expect(matching.every((text) => compiled.test(text))).toBe(true);
});

test.each([
  [`^${'a*'.repeat(60)}b$`, 'a', 'c'],
  ['^(a+)+$', 'a', 'c'],
  ['^(a|aa)+$', 'a', 'c'],
  ['(x+x+)+y', 'x', ''],
])('the time of %s grows with the length of the text and no faster', (pattern, letter, end) => {
  const compiled = compilePattern(pattern, 'x');
  const texts = [1_000, 8_000].map((length) => letter.repeat(length) + end);
  // In turns, so that what else the machine does slows both; the shortest is what the work itself takes.
  const shortest = texts.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 25; turn++)
    for (const [at, text] of texts.entries()) {
      const start = performance.now();
      for (let i = 0; i < 20; i++) compiled.test(text);
      shortest[at] = Math.min(shortest[at], performance.now() - start);
    }
  expect(shortest[1] / shortest[0]).toBeLessThan(24);
});

test.each([
  ['(a)\\1', /refers back/],
  ['(?<n>a)\\k<n>', /refers back/],
  ['a(?=b)', /look(s)? ahead or behind/],
  ['a(?!b)', /look(s)? ahead or behind/],
  ['(?<=a)b', /look(s)? ahead or behind/],
  ['(?<!a)b', /look(s)? ahead or behind/],
  ['a{1001}', /1000/],
  ['(?:a{1000}){1000}', /1000/],
  ['[a-z', /missing closing \]/],
  ['\\p{L}{900}'.repeat(40), /too large/],
  ['a'.repeat(501), /longer than 500/],
])('%s is refused, and the refusal says what the dialect lacks', (pattern, message) => {
  expect(patternProblem(pattern)).toMatch(message);
});

test('what only looks like a reference back or a look around is accepted', () => {
  for (const pattern of ['^\\\\1$', '^[(?=]+$', '^\\(\\?=$', '(?:a)', '(?<name>a)', '(?i)abc'])
    expect([pattern, patternProblem(pattern)]).toEqual([pattern, null]);
});

test('a text longer than patterns look at matches none', () => {
  const compiled = compilePattern('^a+$', 'x');
  expect(compiled.test('a'.repeat(10_000))).toBe(true);
  expect(compiled.test('a'.repeat(10_001))).toBe(false);
});

test.each<[string, (text: string) => unknown]>([
  ['the reason why a number is none', (text) => mismatch('number', text)],
  ['a text without the blanks around it', trimBlanks],
  ['a measure', parseMeasure],
])('%s takes time linear in a text of blanks', (_, read) => {
  const timeOf = (length: number) => {
    const text = `<${' '.repeat(length)}x`.slice(read === parseMeasure ? 0 : 1);
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      read(text);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  timeOf(100);
  // Below the smallest span that can be told, a ratio says nothing.
  const floorMs = 0.05;
  expect(Math.max(timeOf(1_600), floorMs) / Math.max(timeOf(200), floorMs)).toBeLessThan(24);
});
