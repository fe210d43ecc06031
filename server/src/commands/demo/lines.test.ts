import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseContract } from '../../ml/contract/parse.ts';
import { loadTables } from '../../ml/graph/load.ts';
import { outputsOfTarget } from '../../ml/tasks/labels.ts';
import { parseTask } from '../../ml/tasks/parse-task.ts';
import { resolveTask } from '../../ml/tasks/resolve.ts';
import { generateLender } from './lender.ts';
import { demoTasks, generateLines } from './lines.ts';
import { linesContract } from './lines-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lastro-lines-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const period = { from: '2022-01-01', until: '2025-12-31' };
const endOfData = Date.parse('2026-01-01') * 1000 - 1;

const folder = join(scratch, 'lender');
let world: Awaited<ReturnType<typeof loadTables>>;
beforeAll(async () => {
  await generateLender(folder, { ...period, customers: 1_200, seed: 1 });
  await generateLines(folder, folder, { ...period, seed: 1 });
  world = await loadTables(folder, linesContract);
});

describe('the files', () => {
  test('are what the contract says', () => {
    const { tables, report } = world;
    expect(parseContract(readFileSync(join(folder, 'contract.yaml'), 'utf8'), 'contract.yaml')).toEqual(linesContract);
    expect(report.rejectedTotal).toBe(0);
    expect(report.warnings).toEqual([expect.objectContaining({ code: 'timeless' })]);
    for (const { name, rows, references, time, columns, contract } of tables.values()) {
      expect(rows, name).toBeGreaterThan(20);
      for (const { column } of contract.references) {
        const isRequired = contract.columns.find((one) => one.name === column)!.required;
        if (isRequired) expect(references.get(column)!.rows.includes(-1), `${name}.${column}`).toBe(false);
      }
      for (const date of time ?? []) expect(date <= endOfData || name === 'instalments', `${name} ${date}`).toBe(true);
      for (const { name: column, enum: allowed } of contract.columns) {
        const values = columns.get(column)!;
        if (allowed && values.kind === 'text') expect(allowed).toEqual(expect.arrayContaining([...values.dictionary]));
      }
    }
  });

  test('are the same bytes for the same seed, and others for another', async () => {
    const hashOf = async (seed: number, into: string) => {
      const made = join(scratch, into);
      await generateLines(folder, made, { ...period, seed });
      const hash = createHash('sha256');
      for (const name of readdirSync(join(made, 'tables')).sort())
        hash.update(readFileSync(join(made, 'tables', name)));
      return hash.digest('hex');
    };
    const first = await hashOf(1, 'first');
    expect(await hashOf(1, 'again')).toBe(first);
    expect(await hashOf(2, 'other')).not.toBe(first);
  });
});

test('every task of the demo fits the contract, and has labels of both sorts', () => {
  const tasks = demoTasks(period);
  expect(tasks.map(({ definition, name }) => parseTask(definition, name, 'task.yaml').kind)).toEqual([
    ...['fraud', 'lead_scoring', 'field_sales', 'paid_media'],
    ...['multiclass', 'regression', 'binary', 'binary'],
  ]);
  for (const { name, entity, definition } of tasks) {
    const task = resolveTask(parseTask(definition, name, 'task.yaml'), linesContract, 'task.yaml');
    expect(task.entity).toBe(entity);
    for (const { examples } of outputsOfTarget(task, world.tables, endOfData).outputs) {
      expect(examples.rows.length, name).toBeGreaterThan(1_000);
      expect(new Set(examples.labels.filter((label) => !Number.isNaN(label))).size, name).toBeGreaterThan(1);
    }
  }
});
