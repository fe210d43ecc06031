// What a benchmark says, and how it is shown.
import { loadavg } from 'node:os';

/** One comparison on one machine in one run. Only `ratio` carries over to other machines. */
export type Row = {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  /** How many times better ours is: peer / ours where less is better, ours / peer where more is. */
  readonly ratio: number;
  /** The least ratio wanted; absent where a figure only informs. */
  readonly target?: number;
  readonly unit: string;
  readonly note: string;
};

type Better = 'less' | 'more';
type Detail = { readonly unit: string; readonly better?: Better; readonly target?: number; readonly note?: string };

/** A row from one figure each. */
export function compareFigures(name: string, ours: number, peer: number, detail: Detail): Row {
  const { unit, better = 'less', target, note = '' } = detail;
  const ratio = better === 'less' ? peer / ours : ours / peer;
  return { name, ours, peer, ratio, ...(target === undefined ? {} : { target }), unit, note };
}

/** A row from the least cost of several turns, each turn's figures in the note. */
export function compareTurns(name: string, ours: readonly number[], peer: readonly number[], detail: Detail): Row {
  const list = (times: readonly number[]): string => times.map((time) => time.toPrecision(3)).join(' ');
  const turns = `least of ${ours.length} turns; ours ${list(ours)}, peer ${list(peer)}`;
  const note = detail.note ? `${detail.note}; ${turns}` : turns;
  return compareFigures(name, Math.min(...ours), Math.min(...peer), { ...detail, note });
}

/** CPU seconds of this process, all its threads together, while `run` runs. */
export async function measure(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** How busy the machine is, processes on average over the last minute. */
export function machineLoad(): number {
  return loadavg()[0];
}

/** Rows as lines of text. */
export function tableText(rows: readonly Row[]): string {
  const cells = rows.map(({ name, ours, peer, ratio, target, unit }) => [
    name,
    figure(ours),
    figure(peer),
    unit,
    `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`,
    target === undefined ? '' : `>= ${target}x`,
    target === undefined ? '' : ratio >= target ? 'met' : 'SHORT',
  ]);
  const lines = [['', 'ours', 'peer', 'unit', 'ratio', 'target', ''], ...cells];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, c) => (c === 0 || c === 3 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figure(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(4);
}
