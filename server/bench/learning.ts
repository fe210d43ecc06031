// How well the tasks of a folder of data sets are learned: against a plain boosting over the rows' own columns and
// simple counts, against the best number that takes no learning, and against what was kept of the last release.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LearnedCut, LearnedTask } from './children/learn-task.ts';
import { compareFigures, type Row } from './figures.ts';
import { runScript } from './processes.ts';

/** Folders with `tables/` and `tasks/<name>/`, as `eval` reads them. */
const data = process.env.LASTRO_BENCH_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const kept = fileURLToPath(new URL('kept/learning.json', import.meta.url));
const page = fileURLToPath(new URL('../../docs/how-well-it-learns.md', import.meta.url));

type Told = LearnedTask & { readonly set: string; readonly task: string };
/** The metric that each task (`set/task`) had when it was kept. */
type Kept = Readonly<Record<string, number>>;

/**
 * Learns every task of the data sets on the past of one cut in time, or of several with `long` and where rows are few.
 * `keep`: what is measured becomes what later runs are held against, and the page of the documentation is written anew.
 */
export async function benchLearning({ long, keep }: { long: boolean; keep: boolean }): Promise<Row[]> {
  const before: Kept = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  const told: Told[] = [];
  for (const { set, task } of listTasks()) {
    const args = [join(data, set), task, ...(long ? ['folds'] : [])];
    const learned = (await runScript(process.execPath, 'children/learn-task.ts', args)) as unknown as LearnedTask;
    if (learned.cuts.length > 0) told.push({ ...learned, set, task });
    console.log(`${set}/${task}: ${learned.cuts.map(describeCut).join('; ')}`);
  }
  if (keep) {
    mkdirSync(dirname(kept), { recursive: true });
    const values = Object.fromEntries(told.map((one) => [nameOf(one), Number(meanOf(one, 'ours').toFixed(4))]));
    writeFileSync(kept, `${JSON.stringify(values, null, 2)}\n`);
    writeFileSync(page, pageOf(told, before));
  }
  return [...told.flatMap((one) => rowsOf(one, before[nameOf(one)])), ...ranksOf(told)];
}

function listTasks(): { set: string; task: string }[] {
  return readdirSync(data)
    .sort()
    .flatMap((set) => {
      const tasks = join(data, set, 'tasks');
      return existsSync(tasks)
        ? readdirSync(tasks)
            .sort()
            .map((task) => ({ set, task }))
        : [];
    });
}

const nameOf = ({ set, task }: Told) => `${set}/${task}`;

function meanOf({ cuts }: LearnedTask, of: 'ours' | 'plain' | 'naive' | 'overNaive'): number {
  return cuts.reduce((sum, cut) => sum + cut[of], 0) / cuts.length;
}

/** The mean gain over plain boosting, and its standard error over the cuts' rows. */
function gainOf({ cuts }: LearnedTask): { gain: number; error: number } {
  const gain = cuts.reduce((sum, { overPlain }) => sum + overPlain[0], 0) / cuts.length;
  return { gain, error: Math.sqrt(cuts.reduce((sum, { overPlain }) => sum + overPlain[1] ** 2, 0)) / cuts.length };
}

function describeCut({ rows, ours, plain, naive, naiveBy, recipe }: LearnedCut): string {
  return `${say(ours)} (${recipe}), plain ${say(plain)}, ${naiveBy} ${say(naive)}, ${rows} rows`;
}

function rowsOf(told: Told, before: number | undefined): Row[] {
  const { metric, higherIsBetter } = told;
  const { gain, error } = gainOf(told);
  const detail = { unit: metric, better: higherIsBetter ? 'more' : 'less' } as const;
  const against = (peer: string, value: number, note: string) =>
    compareFigures(`${nameOf(told)}, vs ${peer}`, meanOf(told, 'ours'), value, { ...detail, note });
  return [
    against('plain boosting', meanOf(told, 'plain'), `gain ${say(gain)} ± ${say(error)}, paired; ${costOf(told)}`),
    against('no learning', meanOf(told, 'naive'), `${told.cuts.map(({ naiveBy }) => naiveBy).join(', ')}`),
    ...(before === undefined ? [] : [against('what was kept', before, '')]),
  ];
}

function costOf({ oursSeconds, plainSeconds, peakMb }: LearnedTask): string {
  return `${(oursSeconds / plainSeconds).toFixed(0)} times the time of plain boosting, ${peakMb.toFixed(0)} MB at most`;
}

/** The mean place among the three ways, over all tasks; 1 is best. */
function ranksOf(told: readonly Told[]): Row[] {
  const places = told.map((one) => {
    const better = one.higherIsBetter ? 1 : -1;
    const ways = (['ours', 'plain', 'naive'] as const).map((way) => ({ way, value: meanOf(one, way) }));
    return ways.sort((a, b) => better * (b.value - a.value)).map(({ way }) => way);
  });
  const rankOf = (way: 'ours' | 'plain' | 'naive') =>
    places.reduce((sum, order) => sum + order.indexOf(way) + 1, 0) / places.length;
  const note = `of 3, over ${told.length} tasks; no learning ${rankOf('naive').toFixed(2)}`;
  return [compareFigures('mean place, vs plain boosting', rankOf('ours'), rankOf('plain'), { unit: 'place', note })];
}

function pageOf(told: readonly Told[], before: Kept): string {
  const head = ['Task', 'Metric', 'Lastro', 'Plain boosting', 'Gain', 'No learning', 'Before', 'Slope'];
  const rows = told.map((one) => {
    const { gain, error } = gainOf(one);
    const slopes = one.cuts.flatMap(({ slope }) => (slope === null ? [] : [slope]));
    const known = before[nameOf(one)];
    return [
      nameOf(one),
      one.metric + (one.cuts.length > 1 ? `, ${one.cuts.length} cuts` : ''),
      `**${say(meanOf(one, 'ours'))}**`,
      say(meanOf(one, 'plain')),
      `${gain > 0 ? '+' : ''}${say(gain)} ± ${say(error)}`,
      `${say(meanOf(one, 'naive'))} (${[...new Set(one.cuts.map(({ naiveBy }) => naiveBy))].join(', ')})`,
      known === undefined ? '' : say(known),
      slopes.length === 0 ? '' : (slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length).toFixed(2),
    ];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${intro}\n${[head, head.map(() => '---'), ...rows].map(line).join('\n')}\n`;
}

const intro = `# How well it learns

Each task is learned on the past of a cut in time and answered for the rows after it, with the data up to each row's
moment. Nothing is set by hand: no features, no recipe, no contract.

- **Plain boosting** is what a first afternoon gives: one boosting of trees over the rows' own columns and how many rows
  of each table belong to them, on the same rows.
- **Gain** is how much better Lastro is than that, with its standard error (the same rows drawn for both).
- **No learning** is the best of the numbers that take no model: the same for all, a row's own earlier outcomes, the
  rate of what it refers to.
- **Before** is what the release before reached. **Slope** is that of the calibration: 1 is right, below 1 too sure.

Tasks of few rows are asked at several cuts, whose figures are means. Losses are in the table as gains are. The data sets
are public and not part of this repository; \`npm run bench -- learning --keep\` makes this page from a folder of them
(\`LASTRO_BENCH_DATA\`).
`;

function say(value: number): string {
  return Math.abs(value) >= 10 ? value.toFixed(2) : value.toFixed(3);
}
