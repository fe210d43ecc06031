// What a lender costs as it grows: its default task learned, and all its customers scored, over all its tables.
import { createReadStream, createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { generateLender } from '../src/commands/demo/lender.ts';
import type { Cost } from './cost.ts';
import { compareFigures, type Row } from './figures.ts';
import { growthPicture } from './growth-picture.ts';
import { runScript } from './processes.ts';

const sizes = [10_000, 100_000];
const longSize = 1_000_000;
const task = 'default-90d';
/** Of a machine that a lender of a million customers is to be learned on, and the time there is for it. */
const peakMbMax = 12 * 1024;
const secondsMax = 3_600;

type Learned = Cost & { readonly elapsed: number; readonly value: number; readonly error: number };
type Scored = Cost & { readonly elapsed: number; readonly rows: number };
type Sized = { readonly customers: number; readonly rows: number; readonly learned: Learned; readonly scored: Scored };

/**
 * Lenders of 10,000 and 100,000 customers, with `long` of a million too, which takes up to an hour and 10 GB of disk.
 * `keep`: the picture of the documentation is drawn anew.
 */
export async function benchLenders({ long, keep }: { long: boolean; keep: boolean }): Promise<Row[]> {
  const measured: Sized[] = [];
  for (const customers of long ? [...sizes, longSize] : sizes) measured.push(await measureLender(customers));
  if (keep) {
    const costOf = ({ peakMb, elapsed }: Learned | Scored) => [peakMb, elapsed] as const;
    const grown = measured.map((size) => ({ ...size, learned: costOf(size.learned), scored: costOf(size.scored) }));
    writeFileSync(fileURLToPath(new URL('../../docs/growth.svg', import.meta.url)), growthPicture(grown));
  }
  return measured.slice(1).flatMap((size, before) => compareSizes(size, measured[before]));
}

async function measureLender(customers: number): Promise<Sized> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-lender-'));
  const [data, version, asked] = [join(folder, 'data'), join(folder, 'version'), join(folder, 'asked.csv')];
  try {
    const { rows } = await generateLender(data, { customers, seed: 5 });
    await askAboutAll(join(data, 'tables', 'customers.csv'), asked);
    const run = (script: string, args: readonly string[]) => runScript(process.execPath, script, args);
    const learned = (await run('children/learn-lender.ts', [data, task, version])) as Learned;
    const scored = (await run('children/score-lender.ts', [
      version,
      data,
      asked,
      join(folder, 'scored.parquet'),
    ])) as Scored;
    console.error(tell({ customers, rows, learned, scored }));
    return { customers, rows, learned, scored };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file that asks about each customer once. Their documents are the first column, and never quoted. */
async function askAboutAll(from: string, to: string): Promise<void> {
  const out = createWriteStream(to);
  let isHeader = true;
  for await (const line of createInterface({ input: createReadStream(from) })) {
    out.write(isHeader ? 'legal_document,reference_date\n' : `${line.slice(0, line.indexOf(','))},2025-12-31\n`);
    isHeader = false;
  }
  out.end();
  await finished(out);
}

function tell({ customers, rows, learned, scored }: Sized): string {
  const of = ({ elapsed, peakMb }: Learned | Scored) => `${Math.round(elapsed)} s, ${Math.round(peakMb)} MB`;
  return `${customers} customers, ${rows} rows: learned in ${of(learned)}, AUROC ${learned.value.toFixed(4)} ± ${learned.error.toFixed(4)}; scored in ${of(scored)}`;
}

function compareSizes(size: Sized, before: Sized): Row[] {
  const name = `lender of ${size.customers}, vs ${before.customers}`;
  const isLong = size.customers === longSize;
  const times = (one: Sized) => one.learned.elapsed + one.scored.elapsed;
  const peak = ({ learned, scored }: Sized) => Math.max(learned.peakMb, scored.peakMb);
  const rows = [
    compareFigures(`${name}: peak memory`, peak(size), peak(before), { unit: 'MB', note: tell(size) }),
    compareFigures(`${name}: learned and scored`, times(size), times(before), { unit: 's', note: tell(before) }),
    compareFigures(`${name}: AUROC`, size.learned.value, before.learned.value, {
      unit: '',
      better: 'more',
      target: 0.99,
    }),
  ];
  if (!isLong) return rows;
  return [
    ...rows,
    compareFigures(`${name}: memory there is`, peak(size), peakMbMax, { unit: 'MB', target: 1 }),
    compareFigures(`${name}: an hour`, times(size), secondsMax, { unit: 's', target: 1 }),
  ];
}
