import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eraseIdentifier, growIdentifiers, noIdentifiers, openIdentifiers, writeIdentifiers } from './identifiers.ts';

const folder = mkdtempSync(join(tmpdir(), 'identifiers-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('names get numbers in order of appearance, which stay when more come and the file is opened again', async () => {
  const first = growIdentifiers(noIdentifiers);
  expect(['b', 'a', 'b', 'ção'].map((name) => first.numberFor('individual', name))).toEqual([1, 2, 1, 3]);
  expect(first.numberFor('company', 'b')).toBe(4);
  const path = join(folder, 'first');
  await writeIdentifiers(first, path);
  const second = growIdentifiers(await openIdentifiers(path));
  expect(second.numberFor('individual', 'ção')).toBe(3);
  expect(second.numberFor('individual', 'c')).toBe(5);
  expect(second.size).toBe(5);
  expect([1, 4, 5, 6, 0].map((number) => second.entryOf(number))).toEqual([
    { kind: 'individual', identifier: 'b' },
    { kind: 'company', identifier: 'b' },
    { kind: 'individual', identifier: 'c' },
    null,
    null,
  ]);
  expect(second.numberOf('asset', 'b')).toBeUndefined();
});

test('ten thousand names are all found again, and no others', async () => {
  const book = growIdentifiers(noIdentifiers);
  for (let i = 0; i < 10_000; i++) book.numberFor(i % 2 ? 'company' : 'individual', `name ${i}`);
  const path = join(folder, 'many');
  await writeIdentifiers(book, path);
  const opened = await openIdentifiers(path);
  for (let i = 0; i < 10_000; i++) {
    expect(opened.numberOf(i % 2 ? 'company' : 'individual', `name ${i}`)).toBe(i + 1);
    expect(opened.numberOf(i % 2 ? 'individual' : 'company', `name ${i}`)).toBeUndefined();
  }
});

test('an erased name is gone from the file, its number is never given again, and the other numbers stay', async () => {
  const book = growIdentifiers(noIdentifiers);
  for (const name of ['Ana Prado', 'Bia Rocha', 'Caio Lima']) book.numberFor('individual', name);
  book.numberFor('company', 'Bia Rocha');
  const { identifiers, erased } = eraseIdentifier(book, 'Bia Rocha');
  expect(erased).toEqual([4, 2]);
  const path = join(folder, 'erased');
  await writeIdentifiers(identifiers, path);
  expect(readFileSync(path).includes('Bia')).toBe(false);
  const opened = await openIdentifiers(path);
  expect(opened.numberOf('individual', 'Bia Rocha')).toBeUndefined();
  expect(opened.entryOf(2)).toBeNull();
  expect(opened.numberOf('individual', 'Caio Lima')).toBe(3);
  expect(opened.numberOf('individual', '')).toBeUndefined();
  expect(growIdentifiers(opened).numberFor('individual', 'Bia Rocha')).toBe(5);
  expect(eraseIdentifier(opened, 'Bia Rocha').erased).toEqual([]);
});

test('a name may be erased of one kind alone', () => {
  const book = growIdentifiers(noIdentifiers);
  book.numberFor('company', '1');
  book.numberFor('individual', '1');
  const { identifiers, erased } = eraseIdentifier(book, '1', 'individual');
  expect(erased).toEqual([2]);
  expect(identifiers.numberOf('company', '1')).toBe(1);
});
