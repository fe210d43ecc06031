import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleContract, sampleRows } from '../../../tests/samples.ts';
import { openWriter } from '../../lib/files/write.ts';
import { type AskedRows, type LocalPart, readStoredRows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contract = sampleContract([{ name: 'sale', key: 'id', columns: { id: 'integer', text: 'string' } }]);
const [table] = contract.tables;

async function partOf(name: string, ids: readonly number[], isChanging = false): Promise<LocalPart> {
  const path = join(folder, `${name}.parquet`);
  const writer = await openWriter(path, 'parquet', table.columns);
  await writer.write(
    sampleRows(
      table,
      ids.map((id) => ({ id, text: `${name} ${id}` })),
    ),
  );
  await writer.close();
  return { path, rows: ids.length, isChanging };
}

const read = (parts: readonly LocalPart[], asked: Partial<AskedRows> = {}) =>
  readStoredRows({
    ...{ contract, table, names: null, parts, window: parts.length, start: { part: 0, row: 0 } },
    ...{ rowsMax: 3, bytesMax: 1e6, ...asked },
  });
const span = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

test('however many rows have newer versions, the first that has none comes next, and then those', async () => {
  const before = await partOf('before', span(0, 60_000));
  const later = await partOf('later', [...span(0, 59_000), 59_500], true);
  const first = await read([before, later]);
  expect(first.rows.map(({ cells }) => cells)).toEqual(span(59_000, 3).map((id) => [id, `before ${id}`]));
  const rest = await read([before, later], { start: first.stopped!, rowsMax: 2_000 });
  const ids = rest.rows.map(({ cells }) => cells[0]);
  expect(ids.slice(0, 997)).toEqual(
    span(59_003, 997)
      .filter((id) => id !== 59_500)
      .concat(0),
  );
  expect(rest.rows.at(-1)!.next).toEqual({ part: 1, row: ids.length - 996 });
});

test('what stands after the window is not told, and says what is past all the same', async () => {
  const before = await partOf('first', [1, 2, 3]);
  const later = await partOf('second', [2, 4], true);
  const { rows, stopped } = await read([before, later], { window: 1 });
  expect(rows.map(({ cells }) => cells[0])).toEqual([1, 3]);
  expect(stopped).toBeNull();
});

test('large rows end a page early, after one row at least', async () => {
  const part = await partOf('large', [1, 2, 3]);
  const { rows, stopped } = await read([part], { bytesMax: 1 });
  expect(rows).toHaveLength(1);
  expect(stopped).toEqual({ part: 0, row: 1 });
});
