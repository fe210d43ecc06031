import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { columnsMax } from '../../lib/files/density.ts';
import { inferFromFiles } from '../contract/infer.ts';
import { parseContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import { noIdentifiers } from './identifiers.ts';
import { ingestFiles } from './ingest.ts';

const folder = mkdtempSync(join(tmpdir(), 'wide-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes in a table of `columns` columns under the contract that is proposed for it. Returns its work in CPU time. */
async function takeIn(columns: number): Promise<number> {
  const path = join(folder, `${columns}.csv`);
  const names = Array.from({ length: columns }, (_, i) => `column_${i}`);
  const valueAt = (row: number, i: number) => (i === 0 ? row : i % 3 === 0 ? `t${(row * i) % 7}` : (row * i) % 11);
  const rows = Array.from({ length: 20 }, (_, row) => names.map((_, i) => valueAt(row, i)).join(','));
  writeFileSync(path, `${names.join(',')}\n${rows.join('\n')}\n`);
  const before = process.cpuUsage().user;
  const inferred = await inferFromFiles('c', [{ table: 'wide', paths: [path] }]);
  const contract = parseContract(writeContract(inferred.contract), 'contract');
  const files = [{ path, table: 'wide', mode: 'append' as const, sha256: `${columns}`, name: 'wide.csv' }];
  const asked = { previous: null, pathOf: () => '', out: folder, now: 1e15, identifiers: noIdentifiers };
  const found = await ingestFiles({ ...asked, contract, files });
  expect(found).toMatchObject({ kind: 'accepted', newParts: [{ rows: 20 }] });
  return process.cpuUsage().user - before;
}

test('a table of as many columns as are taken costs as much a column as one of a quarter of them', async () => {
  await takeIn(100);
  const quarter = await takeIn(columnsMax / 4);
  // Work that is quadratic in columns would be 16 times as much.
  expect((await takeIn(columnsMax)) / quarter).toBeLessThan(9);
}, 120_000);

test('a contract is proposed from the first rows of a table that is too large to be held', async () => {
  const path = join(folder, 'long.csv');
  const rows = Array.from({ length: 5000 }, (_, row) => `${row},${row < 3000 ? row : 'x'}`);
  writeFileSync(path, `id,v\n${rows.join('\n')}\n`);
  const said: string[] = [];
  const progress = (line: string) => void said.push(line);
  const { contract } = await inferFromFiles('c', [{ table: 'long', paths: [path] }], { progress, cellsMax: 5000 });
  expect(contract.tables[0]).toMatchObject({ key: ['id'], columns: [{ type: 'integer' }, { type: 'integer' }] });
  expect(said).toContain('warning: long: only the first 2500 rows were looked at');
});
