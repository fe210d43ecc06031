/** Where a reading lies: beyond the threshold that raises, below the one that clears, or between; or far beyond. */
export type Level = 'extreme' | 'above' | 'between' | 'below';

/** An alarm is raised by `of` among the newest `among` readings, and cleared by `clear` in a row. */
export type AlarmRule = { readonly of: number; readonly among: number; readonly clear: number };

/**
 * Whether an alarm is on after the newest of these readings, given whether it was on before. It is raised by enough
 * readings above the upper threshold, or by an extreme one, and stays on until enough in a row lie below the lower
 * threshold: readings that swing about one threshold neither raise it again and again nor clear it.
 */
export function alarmAfter(wasOn: boolean, levels: readonly Level[], { of, among, clear }: AlarmRule): boolean {
  if (wasOn) return levels.length < clear || levels.slice(-clear).some((level) => level !== 'below');
  return levels.at(-1) === 'extreme' || levels.slice(-among).filter(isBeyond).length >= of;
}

function isBeyond(level: Level): boolean {
  return level === 'above' || level === 'extreme';
}
