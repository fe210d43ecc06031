// How well the tasks of a folder of data sets are learned: against a plain boosting over the rows' own columns and
// simple counts, against the best number that takes no learning, and against what was kept of the last release.
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LearnedCut, LearnedTask } from './children/learn-task.ts';
import { families } from './families/families.ts';
import { familyTask, openDraws, writeFamily } from './families/family.ts';
import { compareFigures, type Row } from './figures.ts';
import { runScript } from './processes.ts';
import { type AskedTask, listTasks } from './tasks.ts';

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
  const told = await learnAll(listTasks(), long);
  const madeUp = await learnMadeUp();
  if (keep) {
    mkdirSync(dirname(kept), { recursive: true });
    const values = Object.fromEntries(told.map((one) => [nameOf(one), Number(meanOf(one, 'ours').toFixed(4))]));
    writeFileSync(kept, `${JSON.stringify(values, null, 2)}\n`);
    writeFileSync(page, pageOf(told, madeUp, before));
  }
  const rows = told.flatMap((one) => rowsOf(one, before[nameOf(one)]));
  return [...rows, ...ranksOf(told), ...madeUp.flatMap((one) => rowsOf(one, undefined))];
}

async function learnAll(tasks: readonly AskedTask[], long: boolean): Promise<Told[]> {
  const told: Told[] = [];
  for (const { folder, set, task } of tasks) {
    const args = [folder, task, ...(long ? ['folds'] : [])];
    const learned = (await runScript(process.execPath, 'children/learn-task.ts', args)) as unknown as LearnedTask;
    if (learned.cuts.length > 0) told.push({ ...learned, set, task });
    console.log(`${set}/${task}: ${learned.cuts.map(describeCut).join('; ')}`);
  }
  return told;
}

/** Learns made-up data of a new seed, of which the best possible answers are known. */
async function learnMadeUp(): Promise<Told[]> {
  const seed = randomInt(2 ** 31);
  console.log(`made-up data of seed ${seed}`);
  const room = mkdtempSync(join(tmpdir(), 'lastro-families-'));
  const tasks = Object.entries(families).map(([name, make], k) => {
    const folder = join(room, name);
    writeFamily(folder, make(openDraws(seed + k)));
    return { folder, set: name, task: familyTask };
  });
  const told = await learnAll(tasks, false);
  rmSync(room, { recursive: true });
  return told;
}

const nameOf = ({ set, task }: Told) => `${set}/${task}`;

function meanOf({ cuts }: LearnedTask, of: 'ours' | 'plain' | 'naive' | 'overNaive'): number {
  return cuts.reduce((sum, cut) => sum + cut[of], 0) / cuts.length;
}

/** What the best possible answers reach; null where these are not known. */
function bestOf({ cuts }: LearnedTask): number | null {
  return cuts.length === 1 ? cuts[0].best : null;
}

function slopeOf({ cuts }: LearnedTask): string {
  const slopes = cuts.flatMap(({ slope }) => (slope === null ? [] : [slope]));
  return slopes.length === 0 ? '' : (slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length).toFixed(2);
}

/** The mean gain over plain boosting, and its standard error over the cuts' rows. */
function gainOf({ cuts }: LearnedTask): { gain: number; error: number } {
  const gain = cuts.reduce((sum, { overPlain }) => sum + overPlain[0], 0) / cuts.length;
  return { gain, error: Math.sqrt(cuts.reduce((sum, { overPlain }) => sum + overPlain[1] ** 2, 0)) / cuts.length };
}

function describeCut({ rows, ours, plain, naive, naiveBy, best, recipe }: LearnedCut): string {
  const atBest = best === null ? '' : `, at best ${say(best)}`;
  return `${say(ours)} (${recipe}), plain ${say(plain)}, ${naiveBy} ${say(naive)}${atBest}, ${rows} rows`;
}

function rowsOf(told: Told, before: number | undefined): Row[] {
  const { metric, higherIsBetter } = told;
  const { gain, error } = gainOf(told);
  const detail = { unit: metric, better: higherIsBetter ? 'more' : 'less' } as const;
  const against = (peer: string, value: number, note: string) =>
    compareFigures(`${nameOf(told)}, vs ${peer}`, meanOf(told, 'ours'), value, { ...detail, note });
  const best = bestOf(told);
  return [
    ...(best === null ? [] : [against('the best possible', best, `slope of calibration ${slopeOf(told)}`)]),
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

function pageOf(told: readonly Told[], madeUp: readonly Told[], before: Kept): string {
  const head = ['Task', 'Metric', 'Lastro', 'Plain boosting', 'Gain', 'No learning', 'Before', 'Slope'];
  const rows = told.map((one) => {
    const { gain, error } = gainOf(one);
    const known = before[nameOf(one)];
    return [
      nameOf(one),
      one.metric + (one.cuts.length > 1 ? `, ${one.cuts.length} cuts` : ''),
      `**${say(meanOf(one, 'ours'))}**`,
      say(meanOf(one, 'plain')),
      `${gain > 0 ? '+' : ''}${say(gain)} ± ${say(error)}`,
      `${say(meanOf(one, 'naive'))} (${[...new Set(one.cuts.map(({ naiveBy }) => naiveBy))].join(', ')})`,
      known === undefined ? '' : say(known),
      slopeOf(one),
    ];
  });
  const madeUpHead = ['Made-up data', 'Lastro', 'At best', 'Plain boosting', 'No learning', 'Slope'];
  const madeUpRows = madeUp.map((one) => [
    one.set,
    `**${say(meanOf(one, 'ours'))}**`,
    say(bestOf(one)!),
    say(meanOf(one, 'plain')),
    `${say(meanOf(one, 'naive'))} (${one.cuts[0].naiveBy})`,
    slopeOf(one),
  ]);
  return `${intro}\n${tableOf(head, rows)}\n${madeUpIntro}\n${tableOf(madeUpHead, madeUpRows)}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}

const madeUpIntro = `Of made-up data the best possible answers are known: the probabilities that the labels were drawn with. What is
missing to them cannot all be learned from the tables. AUROC, of data that no run has seen before.
`;

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
