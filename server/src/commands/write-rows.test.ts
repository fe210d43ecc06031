import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pickRows } from '../lib/files/column.ts';
import { gatherProblems } from '../serving/rows/score.ts';
import { openProgress } from './progress.ts';
import { writeRows } from './write-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'predict-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a row with several things wrong is one row rejected', async () => {
  const [from, to] = [join(folder, 'rows.csv'), join(folder, 'answers.csv')];
  writeFileSync(from, 'key,vector\nA,x\nB,y\n');
  const columns = ['key', 'vector'].map((name) => ({ name, type: 'string' as const }));
  const said: string[] = [];
  const summary = await writeRows(
    { from, to, format: 'csv', csv: { formulas: 'escape' }, requests: columns, columns },
    openProgress((line) => said.push(line)),
    (chunk) =>
      gatherProblems(chunk, (refuse) => {
        for (const column of ['key', 'vector']) refuse(0, column, 'invalid_input', `${column} is wrong`);
        return pickRows(chunk.rows, [1]);
      }),
  );
  expect(summary).toEqual({ rows: 1, rejected: 1 });
  expect(said.join('\n')).toContain('1 rows of');
  expect(readFileSync(to, 'utf8')).toBe('key,vector\nB,y\n');
  expect(readFileSync(`${to}.rejects.csv`, 'utf8')).toBe(
    'row,column,reason,value\n1,key,key is wrong,\n1,vector,vector is wrong,\n',
  );
});
