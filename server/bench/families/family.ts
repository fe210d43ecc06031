// Made-up relational data sets whose process is known, and so how well they can be learned at best.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seedRandom } from '../../src/ml/statistics/random.ts';

type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;
/** A row that is asked about; `best`: the probability of yes that it was drawn with. */
export type Asked = { readonly key: Cell; readonly day: string; readonly label: 0 | 1; readonly best: number };
export type Family = {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly entity: string;
  readonly key: string;
  /** How far labels look ahead. */
  readonly windowDays: number;
  /** In order of time. */
  readonly asked: readonly Asked[];
};

export type Draws = {
  readonly next: Random;
  /** Standard normal (Box and Muller 1958). */
  normal(): number;
  pick<T>(of: readonly T[]): T;
  /** A label of a case with these log-odds, and its probability. */
  label(logOdds: number): { label: 0 | 1; best: number };
};

export function openDraws(seed: number): Draws {
  const next = seedRandom(seed);
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (of) => of[Math.floor(next() * of.length)]!,
    label(logOdds) {
      const best = 1 / (1 + Math.exp(-logOdds));
      return { label: next() < best ? 1 : 0, best };
    },
  };
}

const first = Date.UTC(2019, 0, 1);

/** A day, as a number of days after the first of all. */
export function dayAt(days: number): string {
  return new Date(first + Math.floor(days) * 86_400_000).toISOString().slice(0, 10);
}

/** The numbers from 0 on. */
export function upTo(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

/** What the task is called in every family. */
export const familyTask = 'task';
/** Part of the rows asked about that are learned from. */
const trainingShare = 0.8;

/** Writes a family as a data set: tables, the task, its labels to learn from and to be held against, and the best answers. */
export function writeFamily(folder: string, { tables, entity, key, windowDays, asked }: Family): void {
  const task = join(folder, 'tasks', familyTask);
  mkdirSync(join(folder, 'tables'), { recursive: true });
  mkdirSync(task, { recursive: true });
  for (const [name, rows] of Object.entries(tables)) writeCsv(join(folder, 'tables', `${name}.csv`), rows);
  const words = { entity, key, time: 'day', label: 'label', kind: 'binary', metric: 'auroc', window: `${windowDays}d` };
  writeFileSync(
    join(task, 'task.yaml'),
    Object.entries(words)
      .map(([word, value]) => `${word}: ${value}\n`)
      .join(''),
  );
  const cut = Math.floor(asked.length * trainingShare);
  const rowsOf = (part: readonly Asked[]) => part.map((row) => ({ day: row.day, [key]: row.key, label: row.label }));
  writeCsv(join(task, 'train.csv'), rowsOf(asked.slice(0, cut)));
  writeCsv(join(task, 'val.csv'), rowsOf(asked.slice(cut)));
  writeFileSync(join(task, 'best.json'), JSON.stringify(asked.slice(cut).map(({ best }) => best)));
}

function writeCsv(path: string, rows: readonly Row[]): void {
  const names = Object.keys(rows[0]!);
  const lines = rows.map((row) => names.map((name) => row[name] ?? '').join(','));
  writeFileSync(path, `${[names.join(','), ...lines].join('\n')}\n`);
}
