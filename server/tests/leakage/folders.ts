/** Data folders of the made-up world as customers hand them in, and folders held against each other byte by byte. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeContract } from '../../src/ml/contract/write.ts';
import type { Data, Row } from '../samples.ts';
import { type TaskName, tasks } from './tasks.ts';
import { contract, isoDay } from './world.ts';

/** A new folder inside `parent` with the contract, the tables, and the task with its files of labels by name. */
export function writeFolder(
  parent: string,
  data: Data,
  labels: Readonly<Record<string, readonly Row[]>>,
  task: TaskName,
): string {
  const folder = mkdtempSync(join(parent, 'data-'));
  mkdirSync(join(folder, 'tables'));
  mkdirSync(join(folder, 'tasks', task), { recursive: true });
  writeFileSync(join(folder, 'contract.yaml'), writeContract(contract));
  for (const table of contract.tables) {
    const typeOf = new Map(table.columns.map(({ name, type }) => [name, type]));
    const write = (name: string, value: number) =>
      typeOf.get(name) === 'date' ? isoDay(value) : typeOf.get(name) === 'timestamp' ? isoMoment(value) : String(value);
    writeFileSync(join(folder, 'tables', `${table.name}.csv`), csv(data[table.name], write));
  }
  writeFileSync(join(folder, 'tasks', task, 'task.yaml'), tasks[task]);
  for (const [name, rows] of Object.entries(labels))
    writeFileSync(join(folder, 'tasks', task, `${name}.csv`), csv(rows));
  return folder;
}

export function csv(
  rows: readonly Row[],
  write: (name: string, value: number) => string = (_, value) => String(value),
): string {
  const names = Object.keys(rows[0]);
  const lines = rows.map((row) =>
    names.map((name) => (typeof row[name] === 'number' ? write(name, row[name]) : (row[name] ?? ''))).join(','),
  );
  return `${[names.join(','), ...lines].join('\n')}\n`;
}

const isoMoment = (moment: number) =>
  `${new Date(Math.floor(moment / 1000)).toISOString().slice(0, -1)}${String(moment % 1000).padStart(3, '0')}Z`;

/** Every file of a folder, as text that compares by bytes. */
export function bytesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
}

/** Names of the files that differ. */
export function differing(a: Record<string, string>, b: Record<string, string>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]).sort();
}
