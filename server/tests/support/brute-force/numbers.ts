/** A feature's value, and the size of the numbers it was made from: cancellation leaves errors of their size. */
export type Answer = { readonly value: number; readonly scale: number };

export const none: Answer = { value: Number.NaN, scale: 0 };
export const exactly = (value: number): Answer => ({ value, scale: 0 });

export function average(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
