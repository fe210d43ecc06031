import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbedder } from './embed.ts';
import { writeStore } from './facts/store.ts';
import { fitEncoder } from './fit.ts';
import { openFactGraph } from './graph.ts';
import { dayAt, sampleStore, smallSizes } from './samples.ts';
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
