/** A kind of prediction added by the steps of docs/add-a-kind.md, and by nothing else, to a copy of the source. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { writeContract } from '../src/ml/contract/write.ts';
import { sellerContract, sellerCsv, sellerData } from './support/samples/answers.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manual = read('docs/add-a-kind.md');
const [file, change] = ['ts', 'diff'].map((of) => new RegExp(`\`\`\`${of}\\n([\\s\\S]*?)\`\`\``).exec(manual)![1]);

const copy = mkdtempSync(join(tmpdir(), 'lastro-kind-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The kind of the manual under names that nothing in the source has. */
const renamed = (text: string) =>
  text
    .replaceAll(/lead_scoring|lead-scoring|leadScoring/g, 'renewal')
    .replaceAll('conversion', 'renews')
    .replaceAll("'value'", "'spend'")
    .replaceAll('  value:', '  spend:')
    .replaceAll('ltv', 'budget');

test('the manual shows the file as it is, and its line as it stands in the list', () => {
  expect(file).toBe(read('server/src/ml/kinds/lead-scoring.ts'));
  const list = read('server/src/ml/kinds/kinds.ts');
  for (const line of change!.trim().split('\n')) expect(list).toContain(`${line.slice(1)}\n`);
});

test('a kind of one file and one line can be defined, learned and asked', async () => {
  copySource();
  const kinds = join(copy, 'server', 'src', 'ml', 'kinds');
  const [imported, listed] = renamed(change!)
    .trim()
    .split('\n')
    .map((line) => line.slice(1));
  const list = readFileSync(join(kinds, 'kinds.ts'), 'utf8');
  writeFileSync(join(kinds, 'renewal.ts'), renamed(file!));
  writeFileSync(join(kinds, 'kinds.ts'), `${imported}\n${list.replace('const listed = [', `$&\n${listed}`)}`);

  const data = join(copy, 'seller');
  const task = /example: `([\s\S]*?)`/.exec(renamed(file!))![1];
  writeSeller(data, task);

  const version = join(copy, 'version');
  await lastro('fit', data, '--task', 'renewal', '--out', version);
  writeFileSync(join(copy, 'asked.csv'), 'customer_id\nc1\nc7\n');
  const answers = join(copy, 'answers.jsonl');
  const asked = ['--in', join(copy, 'asked.csv'), '--reference-date', '2024-06-30', '--interval', '--factors', '3'];
  await lastro('predict', version, '--data', data, ...asked, '--out', answers);
  const rows = readFileSync(answers, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row.renews_probability).toBeGreaterThan(0);
    expect(row.renews_probability).toBeLessThan(1);
    expect(row.budget_decile).toBeGreaterThanOrEqual(1);
    expect(row.budget_range).toMatch(/^\d+\.\d\d–\d+\.\d\d$/);
    expect(JSON.parse(row.risk_factors)).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(Object.keys(JSON.parse(row.interval))).toEqual(['renews_probability', 'budget']);
  }
});

/** The product without its tests, with what it is installed with. */
function copySource(): void {
  cpSync(join(root, 'server', 'src'), join(copy, 'server', 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  });
  for (const path of ['package.json', 'server/package.json']) cpSync(join(root, path), join(copy, path));
  for (const path of ['node_modules', 'server/node_modules'])
    symlinkSync(join(root, path), join(copy, path), 'junction');
}

function writeSeller(folder: string, task: string): void {
  const data = sellerData();
  for (const part of ['tables', 'tasks/renewal']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'tasks', 'renewal', 'task.yaml'), task);
  writeFileSync(join(folder, 'contract.yaml'), writeContract(sellerContract));
  for (const table of sellerContract.tables)
    writeFileSync(join(folder, 'tables', `${table.name}.csv`), sellerCsv(table, data));
}

/** Runs the copy. Rejects with what it said when it fails. */
function lastro(...args: string[]) {
  return promisify(execFile)(process.execPath, [join(copy, 'server', 'src', 'main.ts'), ...args]);
}
