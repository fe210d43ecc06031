import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dayAt, sampleStore, smallSizes } from '../../../tests/support/samples/gfm.ts';
import { openEmbedder } from './embed.ts';
import { openBook } from './facts/book.ts';
import { writeStore } from './facts/store.ts';
import { fitEncoder } from './fit.ts';
import { openFactGraph } from './graph.ts';
import { openKind } from './neighbors.ts';
import { personId } from './register/names.ts';
import { isGfmFolder, openGfm, readGfmIdentity, saveGfm } from './version.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-gfm-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const t = dayAt(700);
const options = { name: 'demo-1', until: t, generatedAt: Date.parse('2026-01-02T03:04:05Z') };

test('a version is opened as it was made, by its folder alone', async () => {
  const store = sampleStore();
  const [source, version] = [join(folder, 'store'), join(folder, 'version')];
  await writeStore(source, store);
  const fitted = fitEncoder(openFactGraph(store), { until: t, sizes: smallSizes });
  await saveGfm(version, source, fitted, options);
  rmSync(source, { recursive: true });
  const gfm = await openGfm(version);
  expect(gfm).toMatchObject({ name: 'demo-1', generatedAt: '2026-01-02T03:04:05.000Z', until: t, isSynthetic: true });
  expect(gfm.modelSnapshot).toMatch(/^demo-1@197\d-\d\d-\d\d$/);
  expect(readGfmIdentity(version)).toMatchObject({ name: 'demo-1', modelSnapshot: gfm.modelSnapshot });
  expect(isGfmFolder(version)).toBe(true);
  expect(isGfmFolder(folder)).toBe(false);
  const before = openEmbedder(openFactGraph(store), fitted);
  const entity = gfm.find('c3', 'company');
  expect(entity).toBe(gfm.find('c3'));
  expect(gfm.find('nobody')).toBe(-1);
  for (const at of [t, dayAt(900)]) expect(gfm.embed(entity, at)).toEqual(before.embed(entity, at));
});

test('everybody is embedded as of the ends of periods, by one encoder; who comes later is found by their neighbourhood', async () => {
  const source = join(folder, 'store');
  await writeStore(source, sampleStore());
  const fitted = fitEncoder(openFactGraph(sampleStore()), { until: t, sizes: smallSizes });
  for (const [name, periods] of [
    ['with', 10],
    ['without', 0],
  ] as const)
    await saveGfm(join(folder, name), source, fitted, { ...options, periods });
  const [gfm, plain] = [await openGfm(join(folder, 'with')), await openGfm(join(folder, 'without'))];
  const first = (await gfm.periodBefore(Number.POSITIVE_INFINITY))!.end - 9 * dayAt(91);
  expect(await gfm.periodBefore(first - 1)).toBeNull();
  const period = (await gfm.periodBefore(first + dayAt(20)))!;
  expect(period.end).toBe(first);
  expect(period.prefixes).toEqual(gfm.embedPrefixes(period.entities, first, 64));
  const { bornAt, store, entities } = gfm.graph;
  const later = first + dayAt(90);
  const late = Array.from({ length: entities }, (_, e) => e).filter(
    (e) => store.kinds[e] === 1 && bornAt[e] > first && bornAt[e] <= later,
  );
  expect(late.length).toBeGreaterThan(0);
  for (const from of [gfm, plain]) {
    const people = await openKind(from, 'individual', later);
    expect(Array.from(people.entities)).toEqual(expect.arrayContaining(late));
    for (const entity of [late[0], people.entities[0]]) {
      const found = people.neighborhood.nearest(from.embed(entity, later)!, 3);
      expect(people.entities[found[0].place]).toBe(entity);
      expect(found[0].similarity).toBeCloseTo(1, 5);
    }
  }
});

test('where the graph is a register, a CNPJ is its company, and a person is found by CPF and name together', async () => {
  const book = openBook();
  const company = book.entityFor('company', '11222333');
  const person = book.entityFor('individual', personId('982247', 'José Sintético'));
  const fact = { subject: person, relation: 'owns', object: company, from: t, to: Number.NaN, weight: 1, knownAt: 0 };
  book.addFact(fact, 'lasting');
  const store = book.finish(true, [], 'br-register');
  await writeStore(join(folder, 'store'), store);
  const fitted = fitEncoder(openFactGraph(store), { until: t, sizes: smallSizes });
  await saveGfm(join(folder, 'version'), join(folder, 'store'), fitted, options);
  const gfm = await openGfm(join(folder, 'version'));
  for (const text of ['11222333', '11.222.333/0001-81', '11222333000181']) expect(gfm.find(text)).toBe(company);
  expect(gfm.find('11.222.333/0001-81', 'individual')).toBe(-1);
  expect(gfm.find('11222334000181')).toBe(-1);
  expect(gfm.findPerson('529.982.247-25', 'JOSE  SINTETICO')).toEqual({ entity: person, confidence: 1 });
  expect(gfm.findPerson('529.982.247-25', 'MARIA SINTETICA')).toBeNull();
});

test('the same store gives the same version, and a damaged one is refused', async () => {
  const source = join(folder, 'store');
  await writeStore(source, sampleStore());
  const make = async (name: string) => {
    const fitted = fitEncoder(openFactGraph(sampleStore()), { until: t, sizes: smallSizes });
    await saveGfm(join(folder, name), source, fitted, options);
    return readFileSync(join(folder, name, 'manifest.json'), 'utf8');
  };
  expect(await make('a')).toBe(await make('b'));
  await expect(make('a')).rejects.toThrow(/exists already/);
  const path = join(folder, 'a', 'encoder.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('0.', '1.'));
  await expect(openGfm(join(folder, 'a'))).rejects.toThrow(/not the file that was written/);
  await expect(openGfm(folder)).rejects.toThrow(/no version of the graph model/);
  const fitted = fitEncoder(openFactGraph(sampleStore()), { until: t, sizes: smallSizes });
  await expect(saveGfm(join(folder, 'c'), source, fitted, { ...options, name: '../x' })).rejects.toThrow(/named with/);
});
