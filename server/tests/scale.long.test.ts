import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = join(dirname(fileURLToPath(import.meta.url)), '../src/main.ts');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-scale-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lastro(...args: string[]): void {
  execFileSync(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs a command and answers the most memory its process held, in KiB, as the system counted it. */
async function peakMemory(...args: string[]): Promise<number> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
  let peak = 0;
  const watch = setInterval(() => {
    try {
      const line = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      if (line) peak = Math.max(peak, Number(line[1]));
    } catch {
      // The process has ended between two looks.
    }
  }, 50);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearInterval(watch);
  expect(code).toBe(0);
  return peak;
}

const columns = 20;

/** A repeatable stream of numbers in [0, 1): a linear congruential generator (Numerical Recipes). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function writeOffers(path: string, rows: number, seed: number): Promise<void> {
  const random = generator(seed);
  const out = createWriteStream(path);
  out.write(`offer_id,made_at,${Array.from({ length: columns }, (_, c) => `x${c}`).join(',')}\n`);
  for (let from = 0; from < rows; from += 10_000) {
    const lines: string[] = [];
    for (let row = from; row < Math.min(rows, from + 10_000); row++) {
      const day = new Date(Date.UTC(2024, 0, 1 + (row % 300))).toISOString().slice(0, 10);
      lines.push(`${seed}-${row},${day},${Array.from({ length: columns }, () => random().toFixed(4)).join(',')}\n`);
    }
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

test('2.4 million rows are predicted in the memory of 600,000', { timeout: 1_200_000 }, async () => {
  const data = join(folder, 'offers');
  mkdirSync(join(data, 'tables'), { recursive: true });
  mkdirSync(join(data, 'tasks/taken'), { recursive: true });
  await writeOffers(join(data, 'tables/offers.csv'), 3_000, 1);
  const offers = readFileSync(join(data, 'tables/offers.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const label = (offer: string[]) => (Number(offer[2]) + Number(offer[3]) > 1 ? 1 : 0);
  writeFileSync(
    join(data, 'tasks/taken/train.csv'),
    `made_at,offer_id,taken\n${offers.map((offer) => `${offer[1]},${offer[0]},${label(offer)}`).join('\n')}\n`,
  );
  writeFileSync(
    join(data, 'tasks/taken/task.yaml'),
    'entity: offers\nkey: offer_id\ntime: made_at\nlabel: taken\nkind: binary\nmetric: auroc\n',
  );
  const version = join(folder, 'taken');
  lastro('fit', data, '--task', 'taken', '--out', version);
  const peaks: number[] = [];
  for (const rows of [600_000, 2_400_000]) {
    const asked = join(folder, `asked-${rows}.csv`);
    await writeOffers(asked, rows, 2);
    const scored = join(folder, `scored-${rows}.csv`);
    peaks.push(await peakMemory('predict', version, '--data', data, '--in', asked, '--out', scored, '--factors', '0'));
    const lines = readFileSync(scored, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(rows + 1);
    expect(lines[rows].startsWith(`2-${rows - 1},`)).toBe(true);
  }
  console.log(`peak memory ${peaks.map((peak) => `${Math.round(peak / 1024)} MiB`).join(' and ')}`);
  expect(peaks[1] / peaks[0]).toBeLessThan(1.3);
});

test('fitting twice gives the same bytes on a data set of a hundred thousand rows', { timeout: 1_200_000 }, () => {
  lastro('demo', '--folder', join(folder, 'first'), '--customers', '1500', '--seed', '5');
  lastro('fit', join(folder, 'first/lender'), '--task', 'credit', '--out', join(folder, 'second'));
  const first = join(folder, 'first/credit-version');
  expect(readdirSync(join(folder, 'second'))).toEqual(readdirSync(first));
  for (const file of readdirSync(first)) {
    expect(readFileSync(join(folder, 'second', file)).equals(readFileSync(join(first, file))), file).toBe(true);
  }
});
