import { microsecondsPerDay } from './contract.ts';

const units: readonly (readonly [string, number])[] = [
  ['d', microsecondsPerDay],
  ['h', 3_600_000_000],
  ['m', 60_000_000],
  ['s', 1_000_000],
  ['ms', 1_000],
  ['us', 1],
];

/** Reads a span such as `-1d`, `6h` or `90m` as microseconds; null when it is not one. */
export function parseOffset(text: string): number | null {
  const match = /^([+-]?)(\d{1,9}(?:\.\d{1,6})?)(d|h|m|s|ms|us)$/.exec(text.trim());
  if (match === null) return text.trim() === '0' ? 0 : null;
  const size = units.find(([unit]) => unit === match[3])![1];
  const microseconds = Math.round(Number(match[2]) * size);
  return match[1] === '-' && microseconds !== 0 ? -microseconds : microseconds;
}

/** Writes microseconds in the largest unit that holds them exactly: `-1d`. */
export function formatOffset(microseconds: number): string {
  if (microseconds === 0) return '0d';
  const [unit, size] = units.find(([, each]) => microseconds % each === 0) ?? ['us', 1];
  return `${microseconds / size}${unit}`;
}
