import type { Guess } from './guess.ts';
import type { ReasonCode } from './reasons.ts';

/** What is told of a proposed contract at once, because a model would lack it later: sentences without their ends. */
export function warnOfGuesses(guesses: readonly Guess[]): string[] {
  return [...warnOfLostKeys(guesses), ...warnOfUnreadDates(guesses), ...warnOfOrder(guesses)];
}

/**
 * Keys that tables have not because a few rows are in their way: rows sent again are then rows beside them, and no
 * other table refers to these.
 */
function warnOfLostKeys(guesses: readonly Guess[]): string[] {
  return guesses
    .filter(({ kind, confidence }) => kind === 'key' && confidence === 'low')
    .map(
      ({ table, column, reason }) =>
        `table ${table} has no key: ${column} ${reason}. Correct these rows, or nothing can refer to the table, and rows sent again stand beside themselves`,
    );
}

function warnOfUnreadDates(guesses: readonly Guess[]): string[] {
  const unread = guesses.filter((guess) => isFor(guess, 'mixed_dates', 'unread_dates'));
  return Array.from(
    Map.groupBy(unread, ({ table }) => table),
    ([table, found]) =>
      `table ${table}: dates of ${found.map(({ column }) => column).join(', ')} are not read, because some have another form than the others, or one that is not known: send all of them in one form, best as YYYY-MM-DD, or they neither date rows nor are read by a model`,
  );
}

function warnOfOrder(guesses: readonly Guess[]): string[] {
  const unsure = guesses.filter((guess) => isFor(guess, 'either_first'));
  return Array.from(
    Map.groupBy(unsure, ({ table }) => table),
    ([table, found]) =>
      `table ${table}: dates of ${found.map(({ column }) => column).join(', ')} are read with the day before the month, which no value shows to be right: where the month comes first, change their form in the contract from dd/MM/yyyy to MM/dd/yyyy`,
  );
}

function isFor({ because }: Guess, ...codes: readonly ReasonCode[]): boolean {
  return because.some(({ code }) => codes.includes(code));
}
