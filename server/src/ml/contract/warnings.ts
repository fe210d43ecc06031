import type { Guess } from './guess.ts';
import type { Notice } from './notices.ts';
import type { ReasonCode } from './reasons.ts';

/** What is told of a proposed contract at once, because a model would lack it later. */
export function warnOfGuesses(guesses: readonly Guess[]): Notice[] {
  return [...warnOfLostKeys(guesses), ...warnOfUnreadDates(guesses), ...warnOfOrder(guesses)];
}

/**
 * Keys that tables have not because a few rows are in their way: rows sent again are then rows beside them, and no
 * other table refers to these.
 */
function warnOfLostKeys(guesses: readonly Guess[]): Notice[] {
  return guesses
    .filter(({ kind, confidence }) => kind === 'key' && confidence === 'low')
    .map(({ table, column, because }) => ({ code: 'lost_key', table, column: column!, because }));
}

function warnOfUnreadDates(guesses: readonly Guess[]): Notice[] {
  const unread = guesses.filter((guess) => isFor(guess, 'mixed_dates', 'unread_dates'));
  return Array.from(
    Map.groupBy(unread, ({ table }) => table),
    ([table, found]) => ({ code: 'unread_dates', table, columns: found.map(({ column }) => column!) }),
  );
}

function warnOfOrder(guesses: readonly Guess[]): Notice[] {
  const unsure = guesses.filter((guess) => isFor(guess, 'either_first'));
  return Array.from(
    Map.groupBy(unsure, ({ table }) => table),
    ([table, found]) => ({ code: 'unsure_order', table, columns: found.map(({ column }) => column!) }),
  );
}

function isFor({ because }: Guess, ...codes: readonly ReasonCode[]): boolean {
  return because.some(({ code }) => codes.includes(code));
}
