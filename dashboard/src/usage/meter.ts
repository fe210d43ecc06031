import type { Schemas } from '@lastro/sdk';

export type Usage = Schemas['Usage'];
export type UsageRecord = Schemas['UsageRecord'];
export type Meter = Usage['meter'];

export const meters = [
  'predictions',
  'batch_rows',
  'embeddings',
  'storage_megabyte_days',
  'training_minutes',
  'training_runs',
] as const satisfies readonly Meter[];

export const groupings = ['day', 'month', 'model', 'version', 'workspace'] as const;
export type Grouping = (typeof groupings)[number];

/** The day of the calendar that a date shows here, as addresses have it. */
export function dayOf(at: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The first and the last day of a month: of this one to today, of the one before with `back` 1. */
export function monthOf(today: Date, back = 0): { readonly from: string; readonly to: string } {
  const first = new Date(today.getFullYear(), today.getMonth() - back, 1);
  const last = back === 0 ? today : new Date(today.getFullYear(), today.getMonth() - back + 1, 0);
  return { from: dayOf(first), to: dayOf(last) };
}

/** All days from one to another, both included. */
export function daysFrom(from: string, to: string): readonly string[] {
  const days: string[] = [];
  const mostDays = 400;
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length < mostDays; at += 24 * 60 * 60_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
