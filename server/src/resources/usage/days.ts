import { refuse } from '../../errors.ts';
import { dayAt, endOfDay, instantOf, isDay } from '../../lib/time-zone.ts';

/** Most days of which the sums are asked for at once. */
export const daysMax = 400;
const dayMs = 24 * 60 * 60 * 1000;

export type Days = { readonly from: string; readonly to: string };

/**
 * Reads from which day to which, both inclusive; by default from the first of the month to today, on the clocks of the
 * zones: from the month of the clock furthest behind, to the day of the one furthest ahead. There is one zone at least.
 * Throws Failure 'invalid_parameter'.
 */
export function readDays(asked: Partial<Days>, timeZones: readonly string[], now: number): Days {
  requireDays(asked);
  const own = timeZones.map((zone) => dayAt(zone, now)).sort();
  const [first, today] = [own[0], own.at(-1)!];
  const to = asked.to ?? (asked.from !== undefined && asked.from > today ? asked.from : today);
  const begin = asked.to ?? first;
  const from = asked.from ?? `${begin.slice(0, 8)}01`;
  if (from > to) throw wrong('from', 'must not be after to');
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= daysMax)
    throw wrong('from', `must be within ${daysMax} days of to`);
  return { from, to };
}

/** The moments at which days begin, and those before which they end. Throws Failure 'invalid_parameter'. */
export function momentsOf(
  asked: Partial<Days>,
  timeZone: string,
): { from: Date | undefined; before: Date | undefined } {
  requireDays(asked);
  return {
    from: asked.from === undefined ? undefined : new Date(instantOf(timeZone, Date.parse(asked.from))),
    before: asked.to === undefined ? undefined : new Date(endOfDay(timeZone, asked.to) + 1),
  };
}

function requireDays(asked: Partial<Days>): void {
  for (const name of ['from', 'to'] as const)
    if (asked[name] !== undefined && !isDay(asked[name])) throw wrong(name, 'must be a day such as 2026-01-31');
}

function wrong(name: string, message: string) {
  return refuse('invalid_parameter', `${name} ${message}`, { problems: [{ at: `/query/${name}`, message }] });
}
