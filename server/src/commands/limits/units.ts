// Numbers of limits as the page shows them.

const byteUnits = ['GiB', 'MiB', 'KiB'] as const;

/** `12,000`. */
export function count(most: number): string {
  return most.toLocaleString('en-US');
}

/** `12,000 characters`. */
export function characters(most: number): string {
  return `${count(most)} characters`;
}

/** `2 MiB`: in the largest unit of which there is a whole one. */
export function bytes(most: number): string {
  const unit = byteUnits.findIndex((_, at) => most >= bytesOf(at));
  if (unit < 0) return `${count(most)} bytes`;
  const value = most / bytesOf(unit);
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${byteUnits[unit]}`;
}

/** `10 GB`: in powers of ten. */
export function gigabytes(most: number): string {
  return `${count(most / 1e9)} GB`;
}

function bytesOf(unit: number): number {
  return 1024 ** (byteUnits.length - unit);
}

/** `2 hours`: in the largest unit that gives a whole number. */
export function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return counted(seconds / 3_600, 'hour');
  if (seconds % 60 === 0) return counted(seconds / 60, 'minute');
  return counted(seconds, 'second');
}

/** `2 hours`, of milliseconds. */
export function durationOfMs(milliseconds: number): string {
  return duration(milliseconds / 1_000);
}

/** `30 days`, of milliseconds. */
export function days(milliseconds: number): string {
  return counted(milliseconds / (24 * 3_600_000), 'day');
}

/** `87.5 %`, of a number from 0 to 1. */
export function percent(share: number): string {
  return `${(100 * share).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;
}

function counted(number: number, unit: string): string {
  return `${count(number)} ${unit}${number === 1 ? '' : 's'}`;
}
