import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  accept,
  fileOf,
  folder,
  ingest,
  loans,
  marked,
  out,
  pathOf,
  people,
  withColumn,
} from '../../../tests/support/samples/lake.ts';
import { freezeTables, thawTables } from '../graph/frozen.ts';
import { withIdentifiers } from '../graph/named.ts';
import { eraseIdentifier, growIdentifiers, noIdentifiers, openIdentifiers, writeIdentifiers } from './identifiers.ts';
import { loadSnapshot } from './load.ts';
import { readManifest, writeManifest } from './manifest.ts';

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

const named = withColumn('customer', { name: 'phone', type: 'string', pii: true }, { entityKind: 'individual' });
const theirLoans = [loans[0], '1,Ana,2024-01-05,10.5,true', '2,Bia,2024-02-05,-0.25,', '3,Dora,2024-02-06,,false'];

test('names become numbers of the dictionary, personal data are not kept, and rows are still asked for by name', async () => {
  const first = await accept(null, [fileOf('loan', 'append', theirLoans), fileOf('customer', 'append', people)], {
    contract: named,
    identifiers: noIdentifiers,
  });
  const path = join(folder, 'dictionary');
  await writeIdentifiers(first.identifiers!, path);
  const identifiers = await openIdentifiers(path);
  for (const { path: part } of first.newParts)
    expect(/Ana|Bia|Caio|Dora|81-/.exec(readFileSync(join(out, part), 'latin1'))).toBeNull();
  expect(first.report.tables[0].dropped).toContainEqual({ column: 'phone', reason: 'personal' });
  expect(JSON.stringify(first.report)).not.toContain('81-');
  expect(['Ana', 'Bia', 'Caio', 'Dora'].map((name) => identifiers.numberOf('individual', name))).toEqual([1, 2, 3, 4]);

  const second = await accept(
    first.manifest,
    [fileOf('loan', 'append', [loans[0], '4,Caio,2024-03-01,7,true', '5,Ana,2024-03-01,8,'])],
    {
      contract: named,
      identifiers,
    },
  );
  expect(second.report.files[0].warnings).toEqual([]);
  const { tables } = await loadSnapshot(readManifest(writeManifest(second.manifest)), pathOf, () => {}, {
    identifiers: second.identifiers!,
  });
  const frozen = join(folder, 'named.frozen');
  await freezeTables(tables, frozen);
  expect(readFileSync(frozen).includes('Ana')).toBe(false);
  for (const read of [tables, withIdentifiers(await thawTables(frozen), identifiers)]) {
    const customer = read.get('customer')!;
    const borrowers = read.get('loan')!.references.get('customer_id')!.rows;
    const rowsOf = ['Ana', 'Bia', 'Caio', 'Dora', '1', 1].map((name) => customer.rowOf.get(name));
    expect(rowsOf).toEqual([0, 1, 2, undefined, undefined, undefined]);
    expect([...borrowers]).toEqual([0, 1, -1, 2, 0]);
    expect(customer.columns.has('phone')).toBe(false);
  }
  const without = eraseIdentifier(identifiers, 'Ana').identifiers;
  expect(withIdentifiers(tables, without).get('customer')!.rowOf.get('Ana')).toBeUndefined();
  expect(withIdentifiers(tables, without).get('customer')!.rowOf.get('Bia')).toBe(1);
});

test('a text that stands for a missing name gets no number', async () => {
  const options = { contract: marked(named, 'loan.customer_id'), identifiers: noIdentifiers };
  const some = [loans[0], '1,Ana,2024-01-05,1,true', '2,?,2024-01-06,2,true', '3,n/a,2024-01-07,2,true'];
  const { manifest, identifiers } = await accept(null, [fileOf('loan', 'append', some)], options);
  expect(identifiers!.size).toBe(1);
  const { tables } = await loadSnapshot(manifest, pathOf, () => {}, { identifiers: identifiers! });
  expect(tables.get('loan')!.columns.get('customer_id')).toMatchObject({
    values: Float64Array.of(1, Number.NaN, Number.NaN),
  });
});

test('rows re-sent by name are the same rows, and what a sender is told of a row is its name', async () => {
  const options = { contract: named, identifiers: noIdentifiers };
  const first = await accept(null, [fileOf('customer', 'append', people)], options);
  const identifiers = first.identifiers!;
  // Another phone number is no change, because phone numbers are not stored.
  const phones = people.map((line) => line.replace('81-', '82-'));
  expect(
    await ingest(first.manifest, [fileOf('customer', 'append', phones)], { contract: named, identifiers }),
  ).toMatchObject({ kind: 'unchanged' });
  const moved = fileOf('customer', 'append', [people[0], 'Eva,,', 'Bia,Natal,']);
  const refused = await ingest(first.manifest, [moved], { contract: named, identifiers });
  expect(refused).toMatchObject({
    files: [{ deviations: [{ rule: 'duplicate_key', samples: [{ row: 2, value: 'Bia' }] }] }],
  });
  // The refused file created no numbers.
  expect(identifiers.size).toBe(3);
});

test('parts that hold names cannot go on under a contract that makes numbers of them, unless they are replaced', async () => {
  const met = ['customer_id,at', 'Ana,2024-01-05'];
  const { manifest } = await accept(null, [fileOf('customer', 'append', people), fileOf('visit', 'append', met)], {
    contract: { ...named, tables: named.tables.map(({ entityKind: _, ...table }) => table) },
    identifiers: noIdentifiers,
  });
  const more = [people[0], 'Eva,,'];
  const options = { contract: named, identifiers: noIdentifiers };
  for (const mode of ['append', 'replace'] as const)
    await expect(ingest(manifest, [fileOf('customer', mode, more)], options), mode).rejects.toThrow(
      /all rows of (?:customer, visit|visit) with mode replace, in one ingestion/,
    );
  const both = [fileOf('customer', 'replace', more), fileOf('visit', 'replace', met)];
  const replaced = await accept(manifest, both, options);
  expect(replaced.manifest.numbered).toEqual(['customer.customer_id', 'loan.customer_id', 'visit.customer_id']);
});
