import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleContract, sampleTables } from '../../../tests/samples.ts';
import { writeSections } from '../../lib/files/sections.ts';
import { nameLabels } from './named-labels.ts';
import { type LabelsBody, labelsFile, labelsKind, readLabels, type Version } from './version.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-named-labels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The names behind the numbers of a dictionary; the third was erased. */
const names: readonly (string | null)[] = ['30', '10', null, '20'];
const labels = join(folder, labelsFile);

test.each(['string', 'integer'] as const)('labels by number lead, once named, to rows keyed by %s', async (type) => {
  const contract = sampleContract([{ name: 'client', key: 'id', columns: { id: type } }]);
  const tables = sampleTables(contract, {
    client: ['10', '20', '30'].map((id) => ({ id: type === 'string' ? id : +id })),
  });
  const body: LabelsBody = { key: 'number', isNumbered: true };
  await writeSections(labels, labelsKind, body, [
    Float64Array.of(4, 3, 1, 1),
    Float64Array.of(100, 200, 300, 400),
    Float64Array.of(101, 201, 301, 401),
    Float64Array.of(1, 0, 1, 0),
  ]);
  const version = { task: { entity: 'client' } } as Version;
  await expect(readLabels(folder, version, tables)).rejects.toThrow('by numbers of a dictionary');
  await nameLabels(labels, labels, contract, 'client', (number) => names[number - 1] ?? null);
  const read = await readLabels(folder, version, tables);
  expect([...read.rows]).toEqual([1, 2, 2]);
  expect([...read.at]).toEqual([100, 300, 400]);
  expect([...read.closes]).toEqual([101, 301, 401]);
  expect([...read.labels]).toEqual([1, 1, 0]);
  // Labels that hold names already stay as they are.
  await nameLabels(labels, labels, contract, 'client', () => null);
  expect(await readLabels(folder, version, tables)).toEqual(read);
});
