import { type Events, gapEventsMax, type Read, varietyEventsMax } from '../feature.ts';
import type { Window } from '../history.ts';
import type { Role } from './read-row.ts';

export type EventRead = Extract<Read, { readonly events: Events }>;

/** Events from the first to before the last, counted as in a window. */
export type Range = readonly [from: number, to: number];
export type Part = { readonly role: Role; readonly range: Range };

/** Which events of a window are read, and what for: the newest are the last. Those without a value are not left out. */
export function partsRead(
  read: EventRead,
  { count }: Window,
  span: Range,
  year: Range | null,
  hasValue: (v: number) => boolean,
): Part[] {
  const [from, to] = span;
  const part = (range: Range, role: Role = 'read'): Part => ({ role, range });
  /** The rest of a longer range around the span. */
  const around = ([first, end]: Range): Part[] => [
    part([Math.max(to, first), end], 'compared'),
    part(span),
    part([first, Math.min(from, end)], 'compared'),
  ];
  switch (read.kind) {
    case 'rate':
      return around(year ?? [0, count]);
    case 'since':
      return [part(read.which === 'last' ? [count - 1, count] : [0, 1])];
    case 'gap':
      return [part([Math.max(0, count - gapEventsMax), count])];
    case 'last_is':
      return [part([count - 1, count])];
    case 'variety':
      return [part([Math.max(from, to - varietyEventsMax), to])];
    case 'number': {
      if (read.aggregate === 'swing') return around(year!);
      if (read.aggregate !== 'last' && read.aggregate !== 'trend') return [part(span)];
      let last = count - 1;
      while (last >= 0 && !hasValue(last)) last--;
      if (read.aggregate === 'last') return [part([last, last + 1])];
      return last >= to ? [part([last, last + 1], 'compared'), part(span)] : [part(span)];
    }
    default:
      return [part(span)];
  }
}
