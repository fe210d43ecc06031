import type { ContractTable } from '../data/contract.ts';
import { nameInQuery, nameOf } from './name-in-query.ts';

/** The kinds of tasks, from the plainest to those with several answers. */
export const kinds = [
  'binary',
  'regression',
  'multiclass',
  'credit',
  'fraud',
  'lead_scoring',
  'field_sales',
  'paid_media',
] as const;
export type Kind = (typeof kinds)[number];

/** Whether a kind is written as one query, or as YAML with several. */
export const isQueryKind = (kind: Kind): boolean =>
  kind === 'binary' || kind === 'regression' || kind === 'multiclass' || kind === 'credit';

/** In how many months each table has rows; a table that is not there has no dates, or nobody has counted. */
export type Months = ReadonlyMap<string, number>;

const daysPerMonth = 365 / 12;
/** Times ahead in days, as questions usually ask, the shortest first. */
const usualAhead = [7, 30, 90, 180, 365];

/**
 * Of times ahead (days, in rising order) those that the months with rows have room for: at least four windows, which
 * are one of history to read before the first question, one over which questions are spread, one for the labels of
 * training to close, and one for those of the rows that it is judged by. Where none has, the shortest usual time; where
 * the months are not known, all.
 */
export function aheadOf(asked: readonly number[], months: number | undefined): readonly number[] {
  if (months === undefined) return asked;
  const fitting = (of: readonly number[]) => of.filter((days) => 4 * days <= months * daysPerMonth);
  const found = fitting(asked);
  return found.length > 0 ? found : [fitting(usualAhead).findLast((days) => days < asked[0]!) ?? usualAhead[0]!];
}

/** As far ahead as credit asks: three times, the longest of them as long as there is room for. */
function creditAhead(months: number | undefined): string {
  const fitting = aheadOf([30, 90, 180, 365], months);
  return daysIn(fitting.length > 3 ? fitting.filter((days) => days !== 180) : fitting);
}

const daysIn = (ahead: readonly number[]): string => ahead.map((days) => `${days}d`).join(', ');

/** A first definition of a kind over the tables of a contract; null where no table refers to another. */
export function starterOf(kind: Kind, tables: readonly ContractTable[], months: Months = new Map()): string | null {
  const found = storyOf(tables);
  if (!found) return null;
  const { entity, key, event, reference } = found;
  const amount = event.columns.find(({ type, name }) => type === 'number' && !/rate|percent/i.test(name))?.name;
  const category = event.columns.find(({ values }) => values !== null && values.length > 1)?.name;
  const within = (days: number) => aheadOf([days], months.get(event.name))[0]!;
  const head = `kind: ${kind}\nentity: ${entity.name}\nkey: ${key}\nanchors: {every: ${within(60)}d}\n`;
  const target = (days: number, aggregate?: string) =>
    `{table: ${event.name}, reference: ${reference}, ${aggregate ? `aggregate: ${aggregate}, ` : ''}horizons: [${within(days)}d]}`;
  const amountOf = amount ? `sum(${amount})` : 'count';
  const { rows, who, what, via } = namesOf(found);
  switch (kind) {
    case 'binary':
      return `PREDICT exists(${rows}) WITHIN ${within(90)}d FOR ${who}`;
    case 'regression':
      return amount
        ? `PREDICT sum(${what}.${nameInQuery(amount)} VIA ${via}) WITHIN ${within(90)}d FOR ${who}`
        : `PREDICT count(${rows}) WITHIN ${within(90)}d FOR ${who}`;
    case 'multiclass':
      return category
        ? `PREDICT next(${what}.${nameInQuery(category)} VIA ${via}) WITHIN ${within(90)}d FOR ${who}`
        : `PREDICT next(${what}.`;
    case 'credit':
      return (
        overdueOf(tables, entity.name, months) ??
        lateOf(tables, entity.name, months) ??
        overdueByPayments(tables, entity.name, months) ??
        unpaidOf(tables, entity.name, months) ??
        // What a default is, these tables do not show: a condition has to say it.
        `PREDICT exists(${rows} WHERE `
      );
    case 'fraud':
      return `${head}target: ${target(60)}\n`;
    case 'lead_scoring':
      return `${head}targets:\n  conversion: ${target(30)}\n  value: ${target(90, amountOf)}\n`;
    case 'field_sales':
      return `${head}targets:\n  propensity: ${target(30)}\n  growth: ${target(90, amountOf)}\n`;
    case 'paid_media':
      return `${head}targets:\n  lead: PREDICT exists(${rows}) WITHIN ${within(30)}d FOR ${who}\n  value: ${target(90, amountOf)}\n  churn: PREDICT count(${rows}) = 0 WITHIN ${within(90)}d FOR ${who}\n`;
  }
}

/** Most characters of a name of a task. */
export const nameLengthMax = 63;

/** A first name for a task of a kind: of whom, and what. */
export function nameOfTask(kind: Kind, tables: readonly ContractTable[]): string {
  const entity = storyOf(tables)?.entity.name ?? '';
  const plain = entity
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]+/g, '-')
    .toLowerCase();
  return [kind.replaceAll('_', '-'), plain].filter(Boolean).join('-').slice(0, nameLengthMax);
}

export const clauses = [
  'WITHIN',
  'WHERE',
  'FOR … WHERE',
  'IN LAST',
  'VIA',
  'OVERDUE',
  'EVERY',
  'ONCE',
  'FROM … UNTIL',
  'AS credit',
] as const;
export type Clause = (typeof clauses)[number];

/** A question with each clause, over the tables of a contract; null where they have nothing that it could be about. */
export function clauseExamples(
  tables: readonly ContractTable[],
  months: Months = new Map(),
): Readonly<Record<Clause, string | null>> | null {
  const found = storyOf(tables);
  if (!found) return null;
  const { entity, event } = found;
  const { rows, who } = namesOf(found);
  const own = months.get(event.name);
  const [ahead] = aheadOf([90], own);
  const ask = `PREDICT exists(${rows}) WITHIN ${ahead}d FOR ${who}`;
  const [ofEvent, ofEntity] = [conditionOn(event), conditionOn(entity)];
  return {
    WITHIN: `PREDICT exists(${rows}) WITHIN ${daysIn(aheadOf([30, 90], own))} FOR ${who}`,
    WHERE: ofEvent && `PREDICT exists(${rows} WHERE ${ofEvent}) WITHIN ${ahead}d FOR ${who}`,
    'FOR … WHERE': ofEntity && `${ask} WHERE ${ofEntity}`,
    'IN LAST': `PREDICT count(${rows}) = 0 WITHIN ${ahead}d FOR ${who} WHERE exists(${rows} IN LAST 180d)`,
    VIA: ask,
    OVERDUE: overdueOf(tables, entity.name, months) ?? overdueByPayments(tables, entity.name, months),
    EVERY: `${ask} EVERY 30d`,
    ONCE: entity.eventTime === null ? null : `${ask} ONCE`,
    'FROM … UNTIL': `${ask} EVERY 30d FROM 2024-01-01 UNTIL 2025-12-31`,
    'AS credit': `PREDICT exists(${rows}) WITHIN ${creditAhead(own)} FOR ${who} AS credit`,
  };
}

/** A condition on a column that is read as it came: one of its few values, or a number. */
function conditionOn({ columns }: ContractTable): string | null {
  const plain = columns.filter(
    ({ isKey, isMutable, isPersonal, references }) => !isKey && !isMutable && !isPersonal && references.length === 0,
  );
  const category = plain.find(({ type, values }) => type === 'string' && values !== null && values.length > 1);
  if (category) return `${nameInQuery(category.name)} = '${category.values![0].replaceAll("'", "''")}'`;
  const amount = plain.find(({ type }) => type === 'number');
  return amount ? `${nameInQuery(amount.name)} > 100` : null;
}

/** The table that most others refer to, with a dated one of those. */
function storyOf(tables: readonly ContractTable[]) {
  const referring = (name: string) =>
    tables.flatMap((table) =>
      table.columns
        .filter(({ references }) => references.some((one) => one.table === name))
        .map((column) => ({ event: table, reference: column.name })),
    );
  const entity = [...tables].sort((one, other) => referring(other.name).length - referring(one.name).length)[0];
  const key = entity?.columns.find(({ isKey }) => isKey)?.name;
  const all = entity ? referring(entity.name) : [];
  const dated = all.filter(({ event }) => event.eventTime !== null);
  const chosen = dated.find(({ event }) => event.entityKind === 'event') ?? dated[0];
  return entity && key && chosen ? { entity, key, ...chosen } : null;
}

/** The names of a story as queries take them. */
function namesOf({ entity, event, reference }: NonNullable<ReturnType<typeof storyOf>>) {
  const [who, what, via] = [entity.name, event.name, reference].map(nameInQuery);
  return { who, what, via, rows: `${what} VIA ${via}` };
}

/** Else about rows that say themselves for how many days they are late. */
function lateOf(tables: readonly ContractTable[], entity: string, months: Months): string | null {
  for (const { name, columns } of tables) {
    const days = columns.find(({ type, name }) => type === 'number' && lateness.test(name))?.name;
    if (days === undefined) continue;
    const own = columns.find(({ references }) => references.some(({ table }) => table === entity))?.name;
    const via = own === undefined ? '' : ` VIA ${nameInQuery(own)}`;
    return `PREDICT exists(${nameInQuery(name)}${via} WHERE ${nameInQuery(days)} > 30) WITHIN ${creditAhead(months.get(name))} FOR ${nameInQuery(entity)} AS credit`;
  }
  return null;
}

/** Names of columns of days late, in Portuguese and English. */
const lateness = /atras|inadimpl|overdue|past_?due|delay|(^|_)(late|dpd)(_|$)/i;

/** Names of columns of the day on which something was paid, in Portuguese and English without accents. */
const payment =
  /paid|payment|pay_?(?:day|date|ed)|(?:^|[^a-z])pag(?:o|a|ou)(?:[^a-z]|$)|pagam|pa?gto|quita|settle|liquida|baixa/i;
/** Of those the ones of a day that is only planned, or of when the row was written. */
const noPayment = /due|venc|previst|schedul|plan|next|prox|unpaid|creat|criac|cadastr|updat/i;

function paidOf({ columns, eventTime }: ContractTable): string | undefined {
  return columns.find(({ name, type, isPlanned }) => {
    const plain = name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, '_');
    return isDate(type) && !isPlanned && name !== eventTime && payment.test(plain) && !noPayment.test(plain);
  })?.name;
}

const isDate = (type: string): boolean => type === 'date' || type === 'timestamp';

/** Stands in a question where a column has to be written. */
const blank = '…';

/** Credit asks best about what was due and not paid: of a table that has both days, as a question takes them. */
function overdueOf(tables: readonly ContractTable[], entity: string, months: Months): string | null {
  for (const table of tables) {
    const due = dueOf(table);
    const paid = paidOf(table);
    if (due && paid) return askOverdue(table, entity, due, nameInQuery(paid), months);
  }
  return null;
}

/** The same of a table that payments refer to, which are rows of their own. */
function overdueByPayments(tables: readonly ContractTable[], entity: string, months: Months): string | null {
  for (const table of tables) {
    const due = dueOf(table);
    for (const payments of due === undefined ? [] : tables) {
      const paid = refersTo(payments, table.name) ? paidOf({ ...payments, eventTime: null }) : undefined;
      if (paid) return askOverdue(table, entity, due!, `${nameInQuery(payments.name)}.${nameInQuery(paid)}`, months);
    }
  }
  return null;
}

/** Whether rows of a table lead to another one in exactly one way. */
const refersTo = ({ name, columns }: ContractTable, to: string): boolean =>
  name !== to && columns.filter(({ references }) => references.some(({ table }) => table === to)).length === 1;

/** The same of a table with the first of the two days only: which column is the other one has to be written. */
function unpaidOf(tables: readonly ContractTable[], entity: string, months: Months): string | null {
  for (const table of tables) {
    const due = dueOf(table);
    if (due) return askOverdue(table, entity, due, blank, months);
  }
  return null;
}

const dueOf = ({ columns }: ContractTable): string | undefined => columns.find(({ isPlanned }) => isPlanned)?.name;

function askOverdue(
  { name, columns }: ContractTable,
  entity: string,
  due: string,
  paid: string,
  months: Months,
): string {
  // A row may lead to whom is asked about by other rows, too: what it names itself is meant.
  const own = columns.find(({ references }) => references.some(({ table }) => table === entity))?.name;
  const via = own === undefined ? '' : ` VIA ${nameInQuery(own)}`;
  return `PREDICT exists(${nameInQuery(name)}${via} OVERDUE 30d (${nameInQuery(due)}, ${paid})) WITHIN ${creditAhead(months.get(name))} FOR ${nameInQuery(entity)} AS credit`;
}

/** What a person has to write into a question before it can be asked. `paid`: the day of payment of a table's rows. */
export type Gap = { readonly what: 'condition' | 'category' } | { readonly what: 'paid'; readonly table: string };

/** What a question that was begun by `starterOf` still lacks; null where that is nothing. */
export function gapOf(query: string): Gap | null {
  const overdue = /exists\(("(?:[^"]|"")+"|\S+)[^()]*\([^()]*, …\)/.exec(query);
  if (overdue) return { what: 'paid', table: nameOf(overdue[1]!) };
  if (/\bWHERE $/.test(query)) return { what: 'condition' };
  return /\bnext\((?:"(?:[^"]|"")+"|\S+)\.$/.test(query) ? { what: 'category' } : null;
}
