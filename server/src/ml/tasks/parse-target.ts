import { type Reading, readFields, requireText } from '../contract/yaml.ts';
import { parseCondition } from './parse-condition.ts';
import { parseRule } from './parse-delinquency.ts';
import { type Delinquency, daysMax, type FutureRows, horizonsMax, type Obligations, type Payment } from './target.ts';
import { inQuery, readDays } from './task-fields.ts';

/** Reads the field `target`, or that of one head. `window` is the horizon when it gives none. */
export function readTarget(reading: Reading, value: unknown, window: unknown, path = ['target']): FutureRows {
  const given = readFields(reading, value, path, {
    table: 'string',
    reference: 'string',
    overdue: 'map',
    where: 'string',
    aggregate: 'string',
    horizons: 'list',
  });
  const table = requireText(reading, given.table, [...path, 'table']);
  const where =
    given.where === undefined
      ? undefined
      : inQuery(reading, [...path, 'where'], (file) => parseCondition(given.where!, file, table, false));
  return {
    kind: 'rows',
    table,
    ...readReference(given.reference),
    ...(given.overdue === undefined ? {} : { overdue: readOverdue(reading, given.overdue, [...path, 'overdue']) }),
    ...(where ? { where } : {}),
    aggregate: readAggregate(reading, given.aggregate, [...path, 'aggregate']),
    horizonsDays: readHorizons(reading, given.horizons ?? [window ?? '30d'], [...path, 'horizons']),
  };
}

/** Reads the field `delinquency`; undefined when its rule cannot be read. */
export function readDelinquency(reading: Reading, value: unknown, entity: string): Delinquency | undefined {
  const given = readFields(reading, value, ['delinquency'], {
    table: 'string',
    reference: 'string',
    opened: 'string',
    rule: 'string',
    obligations: 'map',
    horizons: 'list',
  });
  const text = requireText(reading, given.rule, ['delinquency', 'rule']);
  const rule = text === '' ? undefined : inQuery(reading, ['delinquency', 'rule'], (file) => parseRule(text, file));
  if (!rule) return undefined;
  return {
    kind: 'delinquency',
    table: given.table ?? entity,
    ...readReference(given.reference),
    ...(given.opened === undefined ? {} : { opened: given.opened }),
    rule,
    ...(given.obligations === undefined ? {} : { obligations: readObligations(reading, given.obligations) }),
    ...(given.horizons === undefined
      ? {}
      : { horizonsDays: readHorizons(reading, given.horizons, ['delinquency', 'horizons']) }),
  };
}

function readAggregate(reading: Reading, text: string | undefined, path: string[]): FutureRows['aggregate'] {
  const plain = (['exists', 'count', 'first'] as const).find((one) => one === (text ?? 'exists'));
  if (plain) return plain;
  const match = /^(sum|next)\(([^()]+)\)$/.exec(text!);
  if (match) return match[1] === 'sum' ? { sum: match[2] } : { next: match[2] };
  reading.problem(path, { code: 'no_aggregate', text: JSON.stringify(text) });
  return 'exists';
}

function readOverdue(reading: Reading, value: unknown, path: string[]): NonNullable<FutureRows['overdue']> {
  const given = readFields(reading, value, path, { ...paymentFields, days: 'number' });
  const days = given.days ?? 0;
  if (!(days >= 0 && days <= daysMax)) reading.problem([...path, 'days'], `must be 0 to ${daysMax} days, not ${days}`);
  return { ...readPayment(reading, given, path), days };
}

function readObligations(reading: Reading, value: unknown): Obligations {
  const path = ['delinquency', 'obligations'];
  const given = readFields(reading, value, path, {
    table: 'string',
    reference: 'string',
    ...paymentFields,
  });
  return {
    table: requireText(reading, given.table, [...path, 'table']),
    ...readReference(given.reference),
    ...readPayment(reading, given, path),
  };
}

/** The fields of a payment. `payments`: the table of payments, where these are rows of their own. */
const paymentFields = {
  due: 'string',
  paid: 'string',
  amount: 'string',
  paid_amount: 'string',
  payments: 'map',
} as const;

type GivenPayment = { due?: string; paid?: string; amount?: string; paid_amount?: string; payments?: unknown };

function readPayment(reading: Reading, given: GivenPayment, path: string[]): Payment {
  if ((given.amount === undefined) !== (given.paid_amount === undefined))
    reading.problem(path, 'amount and paid_amount go together: what was paid with less than was due is unpaid');
  const place = [...path, 'payments'];
  const payments =
    given.payments === undefined
      ? undefined
      : readFields(reading, given.payments, place, { table: 'string', reference: 'string' });
  return {
    due: requireText(reading, given.due, [...path, 'due']),
    paid: requireText(reading, given.paid, [...path, 'paid']),
    ...(given.amount === undefined || given.paid_amount === undefined
      ? {}
      : { amounts: { due: given.amount, paid: given.paid_amount } }),
    ...(payments
      ? {
          payments: {
            table: requireText(reading, payments.table, [...place, 'table']),
            ...readReference(payments.reference),
          },
        }
      : {}),
  };
}

function readReference(given: string | undefined): { reference?: string[] } {
  return given === undefined ? {} : { reference: given.split('.') };
}

function readHorizons(reading: Reading, values: readonly unknown[], path: readonly string[]): readonly number[] {
  if (values.length === 0 || values.length > horizonsMax)
    reading.problem(path, { code: 'many_horizons_listed', most: horizonsMax });
  const horizons = values.map((value, i) => readDays(reading, value, [...path, i]));
  return [...new Set(horizons)].sort((a, b) => a - b);
}
