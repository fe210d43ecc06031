import { readPayment } from './parse-payment.ts';
import { isNumber, openReader, type Reader, readName, readNumber, readPath, readWhole } from './query-reader.ts';
import type { AskedTarget } from './question.ts';
import type { DelinquencyRule, Obligations } from './target.ts';

/** Parses the rule of a delinquency on its own: `30 days at month 6`. Throws as `parseQuery` does. */
export function parseRule(text: string, file: string): DelinquencyRule {
  const reader = openReader(text, file);
  const rule = readRule(reader);
  reader.takeEnd();
  return rule;
}

/** Reads `(loan [(opened)], rule [, obligations (due, paid [, amount, paid_amount]) [VIA path]])`. */
export function readDelinquency(reader: Reader): AskedTarget {
  reader.take('(');
  const table = readName(reader, 'the table of loans');
  let opened: string | undefined;
  if (reader.tryTake('(')) {
    opened = readName(reader, 'the column with the day of the opening');
    reader.take(')');
  }
  reader.take(',');
  const rule = readRule(reader);
  const obligations = reader.tryTake(',') ? readObligations(reader) : undefined;
  if (!reader.tryTake(')')) throw reader.refuseNext(obligations ? ')' : ', with the table of what is due, or )');
  return {
    kind: 'delinquency',
    table,
    ...(opened === undefined ? {} : { opened }),
    rule,
    ...(obligations ? { obligations } : {}),
  };
}

function readObligations(reader: Reader): Obligations {
  const table = readName(reader, 'the table of what is due');
  const payment = readPayment(reader, table);
  return { table, ...(reader.tryTake('VIA') ? { reference: readPath(reader) } : {}), ...payment };
}

/**
 * Reads `first_payment_default [30 days]`, `30 days at month 6` or `charge_off(column) | charge_off 180 days [by month
 * 24]`.
 */
function readRule(reader: Reader): DelinquencyRule {
  if (reader.tryTake('first_payment_default'))
    return {
      kind: 'first_payment_default',
      days: isNumber(reader) ? readWhole(reader, 'a number of days', 0) : firstPaymentDays,
    };
  if (reader.tryTake('charge_off')) {
    let by: { column: string } | { days: number };
    if (reader.tryTake('(')) {
      by = { column: readName(reader, 'the column with the day it was charged off') };
      reader.take(')');
    } else if (isNumber(reader)) by = { days: readWhole(reader, 'a number of days', 1) };
    else throw reader.refuseNext('(column) with the day of the charge-off, or days past due such as 180 days');
    return reader.tryTake('by') ? { kind: 'charge_off', by, month: readMonth(reader) } : { kind: 'charge_off', by };
  }
  const isLong = reader.tryTake('days_past_due');
  if (isLong) reader.take('>=');
  else if (!isNumber(reader))
    throw reader.refuseNext('first_payment_default, days such as 30 days at month 6, or charge_off');
  const days = readWhole(reader, 'a number of days', 1);
  reader.take('at');
  return { kind: 'days_past_due', days, month: readMonth(reader) };
}

/** By default a first payment that is unpaid this many days after it was due is a default. */
const firstPaymentDays = 30;
export const monthsMax = 600;

function readMonth(reader: Reader): number {
  reader.take('month');
  if (reader.tryTake('on')) reader.take('book');
  const token = reader.peek();
  const month = readNumber(reader, 'a number of months');
  if (!Number.isInteger(month) || month < 1 || month > monthsMax)
    throw reader.refuse(
      {
        code: 'expected',
        expected: `a whole number of months from 1 to ${monthsMax}`,
        ...{ found: token.text, meant: null },
      },
      token,
    );
  return month;
}
