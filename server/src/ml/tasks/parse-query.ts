import type { Failure } from '../../lib/failure.ts';
import type { Comparison, Condition, RowsOf, Threshold, Value } from './condition.ts';
import {
  type AnchorLayout,
  type Delinquency,
  type DelinquencyRule,
  type FutureRows,
  type Obligations,
  parseDay,
  parseDays,
  type Question,
  type Target,
  type TaskKind,
} from './target.ts';
import { keywords, queryFailure, readTokens, type Token } from './tokens.ts';

/** Whether a definition is a query rather than YAML. */
export function isQuery(text: string): boolean {
  return /^\s*PREDICT\b(?!\s*:)/i.test(text);
}

/**
 * Reads a query: `PREDICT exists(payment WHERE days_late > 30) WITHIN 30d, 90d FOR customer`. Its grammar is in
 * docs/ask-a-question.md. Throws Failure 'invalid' that names line and column, and what is expected there.
 */
export function parseQuery(text: string, file: string): Question {
  const reader = openReader(text, file);
  reader.take('PREDICT');
  const asked = readAsked(reader);
  const clauses = readClauses(reader);
  const { kind, target } = settle(reader, asked, clauses);
  const entity = clauses.entity ?? (target.kind === 'delinquency' ? target.table : undefined);
  if (entity === undefined) throw reader.refuse('expected FOR and the table to predict for');
  const { population, anchors } = clauses;
  return {
    entity,
    kind,
    target,
    ...(population ? { population } : {}),
    ...(anchors ? { anchors } : {}),
  };
}

/** Reads a condition by itself: `days_late > 30 AND kind IN ('a', 'b')`. Throws as `parseQuery` does. */
export function parseCondition(text: string, file: string, table: string, allowPast: boolean): Condition {
  const reader = openReader(text, file);
  const condition = readCondition(reader, table, allowPast);
  reader.takeEnd();
  return condition;
}

/** Reads the rule of a delinquency by itself: `30 days at month 6`. Throws as `parseQuery` does. */
export function parseRule(text: string, file: string): DelinquencyRule {
  const reader = openReader(text, file);
  const rule = readRule(reader);
  reader.takeEnd();
  return rule;
}

type Reader = {
  /** The token `ahead` places further on. */
  peek(ahead?: number): Token;
  next(): Token;
  /** Whether the next token is this word or mark; `tryTake` then passes it. */
  is(word: string, ahead?: number): boolean;
  tryTake(word: string): boolean;
  take(word: string): void;
  takeEnd(): void;
  /** What is wrong at `token`, or at the next. */
  refuse(message: string, token?: Token): Failure;
  refuseNext(expected: string): Failure;
};

function openReader(text: string, file: string): Reader {
  const tokens = readTokens(text, file);
  let at = 0;
  const reader: Reader = {
    peek: (ahead = 0) => tokens[Math.min(at + ahead, tokens.length - 1)]!,
    next: () => tokens[Math.min(at++, tokens.length - 1)]!,
    is(word, ahead = 0) {
      const { kind, value, text: own } = reader.peek(ahead);
      return kind === 'word' ? own.toLowerCase() === word.toLowerCase() : kind === 'mark' && value === word;
    },
    tryTake(word) {
      const found = reader.is(word);
      if (found) at++;
      return found;
    },
    take(word) {
      if (!reader.tryTake(word)) throw reader.refuseNext(word);
    },
    takeEnd() {
      if (reader.peek().kind !== 'end') throw reader.refuseNext('the end');
    },
    refuse: (message, token = reader.peek()) => queryFailure(file, text, token.at, message),
    refuseNext(expected) {
      const token = reader.peek();
      return reader.refuse(`expected ${expected}, found ${token.kind === 'end' ? 'the end' : token.text}`);
    },
  };
  return reader;
}

// --- what is asked ----------------------------------------------------------------------------------------------------

/** The target without what later clauses add. */
type Asked = Omit<FutureRows, 'horizonsDays'> | Omit<Delinquency, 'horizonsDays'>;

function readAsked(reader: Reader): Asked {
  if (reader.tryTake('NOT')) {
    reader.take('exists');
    return { kind: 'rows', ...readRows(reader), aggregate: 'count', than: { is: '=', value: 0 } };
  }
  if (reader.tryTake('exists')) return { kind: 'rows', ...readRows(reader), aggregate: 'exists' };
  if (reader.tryTake('first')) return { kind: 'rows', ...readRows(reader), aggregate: 'first' };
  if (reader.tryTake('count')) return { kind: 'rows', ...readRows(reader), aggregate: 'count', ...readThan(reader) };
  if (reader.tryTake('sum')) {
    const { column, ...rows } = readRows(reader, true);
    return { kind: 'rows', ...rows, aggregate: { sum: column! }, ...readThan(reader) };
  }
  if (reader.tryTake('next')) {
    const { column, ...rows } = readRows(reader, true);
    return { kind: 'rows', ...rows, aggregate: { next: column! } };
  }
  if (reader.tryTake('delinquency')) return readDelinquency(reader);
  throw reader.refuseNext('exists, NOT exists, count, sum, first, next or delinquency');
}

function readThan(reader: Reader): { than?: Threshold } {
  const is = readComparison(reader);
  return is ? { than: { is, value: readNumber(reader, 'a number to compare with') } } : {};
}

/** `(table [. column] [VIA path] [OVERDUE 30d (due, paid)] [WHERE condition])` */
function readRows(
  reader: Reader,
  hasColumn = false,
): RowsOf & { overdue?: { due: string; paid: string; days: number }; column?: string } {
  reader.take('(');
  const table = readName(reader, 'a table');
  let column: string | undefined;
  if (hasColumn) {
    reader.take('.');
    column = readName(reader, `a column of ${table}`);
  }
  const via = reader.tryTake('VIA') ? { reference: readPath(reader) } : {};
  let overdue: { due: string; paid: string; days: number } | undefined;
  if (reader.tryTake('OVERDUE')) {
    const days = readWhole(reader, 'a number of days', 0);
    reader.take('(');
    const due = readName(reader, 'the column with the day it is due');
    reader.take(',');
    overdue = { days, due, paid: readName(reader, 'the column with the day it was paid') };
    reader.take(')');
  }
  const where = reader.tryTake('WHERE') ? { where: readCondition(reader, table, false) } : {};
  if (!reader.is(')'))
    throw reader.refuseNext(Object.keys(where).length > 0 ? 'AND, OR or )' : 'VIA, OVERDUE, WHERE or )');
  reader.next();
  return { table, ...(column === undefined ? {} : { column }), ...via, ...(overdue ? { overdue } : {}), ...where };
}

/** `(loan [(opened)], rule [, obligations(due, paid [, amount, paid_amount]) [VIA path]])` */
function readDelinquency(reader: Reader): Asked {
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
  reader.take('(');
  const columns = [readName(reader, 'the column with the day it is due')];
  for (const what of ['the day it was paid', 'the amount due', 'the amount paid']) {
    if (columns.length === 2 && !reader.is(',')) break;
    reader.take(',');
    columns.push(readName(reader, `the column with ${what}`));
  }
  reader.take(')');
  const via = reader.tryTake('VIA') ? { reference: readPath(reader) } : {};
  const [due, paid, amount, paidAmount] = columns as [string, string, string?, string?];
  return {
    table,
    ...via,
    due,
    paid,
    ...(amount !== undefined && paidAmount !== undefined ? { amounts: { due: amount, paid: paidAmount } } : {}),
  };
}

/** `first_payment_default [30 days]`, `30 days at month 6`, `charge_off(column) | charge_off 180 days [by month 24]` */
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

/** What is unpaid a month after it was due counts as a default. */
const firstPaymentDays = 30;
const monthsMax = 600;

function readMonth(reader: Reader): number {
  reader.take('month');
  if (reader.tryTake('on')) reader.take('book');
  const token = reader.peek();
  const month = readNumber(reader, 'a number of months');
  if (!Number.isInteger(month) || month < 1 || month > monthsMax)
    throw reader.refuse(`expected a whole number of months from 1 to ${monthsMax}, found ${token.text}`, token);
  return month;
}

function isNumber(reader: Reader): boolean {
  return ['number', 'days'].includes(reader.peek().kind);
}

// --- clauses ----------------------------------------------------------------------------------------------------------

type Clauses = {
  entity?: string;
  population?: Condition;
  reference?: readonly string[];
  horizonsDays?: readonly number[];
  anchors?: AnchorLayout;
  kind?: TaskKind;
  /** The last word that said something of the anchors, and of the kind. */
  anchorsAt?: Token;
  kindAt?: Token;
};

/** WITHIN, FOR … WHERE, VIA, EVERY or ONCE, FROM, UNTIL and AS, each once, in any order. */
function readClauses(reader: Reader): Clauses {
  const clauses: Clauses = {};
  const seen = new Set<string>();
  while (reader.peek().kind !== 'end') {
    const token = reader.next();
    const word = token.kind === 'word' ? token.text.toUpperCase() : '';
    if (seen.has(word)) throw reader.refuse(`${word} is given twice`, token);
    seen.add(word);
    if (word === 'WITHIN') clauses.horizonsDays = readHorizons(reader);
    else if (word === 'FOR') {
      reader.tryTake('EACH');
      clauses.entity = readName(reader, 'the table to predict for');
      if (reader.tryTake('WHERE')) clauses.population = readCondition(reader, clauses.entity, true);
    } else if (word === 'VIA') clauses.reference = readPath(reader);
    else if (word === 'EVERY')
      clauses.anchors = { ...clauses.anchors, everyDays: readDays(reader, 'days between anchors') };
    else if (word === 'ONCE') clauses.anchors = { ...clauses.anchors, isOnce: true };
    else if (word === 'FROM') clauses.anchors = { ...clauses.anchors, from: readDay(reader) };
    else if (word === 'UNTIL') clauses.anchors = { ...clauses.anchors, until: readDay(reader) };
    else if (word === 'AS') clauses.kind = readKind(reader);
    else
      throw reader.refuse(
        `expected WITHIN, FOR, VIA, EVERY, ONCE, FROM, UNTIL, AS or the end, found ${token.text}${clauses.entity !== undefined && word === 'WHERE' ? '; WHERE stands right after the table of FOR' : ''}`,
        token,
      );
    if (['EVERY', 'ONCE', 'FROM', 'UNTIL'].includes(word)) clauses.anchorsAt = token;
    if (word === 'AS') clauses.kindAt = token;
  }
  return clauses;
}

const horizonsMax = 20;

function readHorizons(reader: Reader): readonly number[] {
  const start = reader.peek();
  const days = [readDays(reader, 'days to look ahead, such as 30d')];
  while (reader.tryTake(',')) days.push(readDays(reader, 'days to look ahead, such as 30d'));
  if (days.length > horizonsMax) throw reader.refuse(`${days.length} horizons; at most ${horizonsMax}`, start);
  const sorted = days.toSorted((a, b) => a - b);
  const twice = sorted.find((one, k) => one === sorted[k + 1]);
  if (twice !== undefined) throw reader.refuse(`the horizon ${twice}d is given twice`, start);
  return sorted;
}

function readKind(reader: Reader): TaskKind {
  const kinds: readonly TaskKind[] = ['credit', 'binary', 'regression', 'multiclass'];
  const kind = kinds.find((one) => reader.tryTake(one));
  if (!kind) throw reader.refuseNext(kinds.join(', '));
  return kind;
}

/** Puts clauses and what is asked together, and refuses what does not go together. */
function settle(reader: Reader, asked: Asked, clauses: Clauses): { kind: TaskKind; target: Target } {
  const { horizonsDays, anchors, kind: given, kindAt, anchorsAt } = clauses;
  if (clauses.reference && 'reference' in asked) throw reader.refuse('VIA is given twice');
  const via = clauses.reference ? { reference: clauses.reference } : {};
  const problem = questionProblem(asked, horizonsDays, anchors, given);
  if (problem)
    throw reader.refuse(
      problem.message,
      problem.of === 'kind' ? kindAt : problem.of === 'anchors' ? anchorsAt : undefined,
    );
  if (anchors?.from !== undefined && anchors.until !== undefined && anchors.until < anchors.from)
    throw reader.refuse('UNTIL lies before FROM', anchorsAt);
  const kind = given ?? kindOf(asked);
  if (asked.kind === 'rows') return { kind, target: { ...asked, ...via, horizonsDays: horizonsDays! } };
  return { kind, target: { ...asked, ...via, ...(horizonsDays ? { horizonsDays } : {}) } };
}

/** What is asked of rows or loans decides what kind of task it is; of credit it is a choice. */
export function kindOf(asked: Asked): TaskKind {
  if (asked.kind === 'delinquency' || asked.than || asked.aggregate === 'exists') return 'binary';
  return typeof asked.aggregate === 'object' && 'next' in asked.aggregate ? 'multiclass' : 'regression';
}

/** What in a question does not go together, and which part says so; null when all does. */
export function questionProblem(
  asked: Asked,
  horizonsDays: readonly number[] | undefined,
  anchors: AnchorLayout | undefined,
  given: TaskKind | undefined,
): { of: 'kind' | 'anchors' | 'horizons'; message: string } | null {
  const natural = kindOf(asked);
  if (given && given !== natural && !(given === 'credit' && natural === 'binary'))
    return {
      of: 'kind',
      message: `what is predicted makes a ${natural} task, not a ${given} one${natural === 'regression' && given !== 'multiclass' ? '; compare it, as in count(…) > 0' : ''}`,
    };
  if (asked.kind === 'rows' && !horizonsDays)
    return { of: 'horizons', message: 'expected WITHIN and the days to look ahead, such as WITHIN 30d' };
  if (natural === 'multiclass' && horizonsDays!.length > 1)
    return { of: 'horizons', message: 'the next category is predicted within one horizon, not several' };
  if (asked.kind === 'delinquency') {
    const { rule } = asked;
    if (!horizonsDays && anchors?.everyDays !== undefined)
      return {
        of: 'anchors',
        message: 'a delinquency without WITHIN is asked once, on the day the loan opens: leave EVERY out',
      };
    if (!horizonsDays && rule.kind === 'charge_off' && rule.month === undefined)
      return { of: 'horizons', message: 'expected by month, as in charge_off(…) by month 24, or WITHIN' };
    if (!horizonsDays && given === 'credit')
      return {
        of: 'horizons',
        message: 'credit gives probabilities for horizons: expected WITHIN, such as WITHIN 90d, 365d',
      };
  }
  if (anchors?.isOnce && anchors.everyDays !== undefined)
    return { of: 'anchors', message: 'EVERY and ONCE exclude each other' };
  return null;
}

// --- conditions -------------------------------------------------------------------------------------------------------

/** How deep conditions may nest. */
const depthMax = 50;

function readCondition(reader: Reader, table: string, allowPast: boolean, depth = 0): Condition {
  if (depth > depthMax) throw reader.refuse(`conditions nest deeper than ${depthMax}`);
  const readAll = (word: string, read: () => Condition): Condition[] => {
    const parts = [read()];
    while (reader.tryTake(word)) parts.push(read());
    return parts;
  };
  const term = () => readTerm(reader, table, allowPast, depth);
  const either = readAll('OR', () => {
    const both = readAll('AND', term);
    return both.length === 1 ? both[0]! : { kind: 'and', of: both };
  });
  return either.length === 1 ? either[0]! : { kind: 'or', of: either };
}

function readTerm(reader: Reader, table: string, allowPast: boolean, depth: number): Condition {
  if (depth > depthMax) throw reader.refuse(`conditions nest deeper than ${depthMax}`);
  if (reader.tryTake('NOT')) return { kind: 'not', of: readTerm(reader, table, allowPast, depth + 1) };
  if (reader.tryTake('(')) {
    const condition = readCondition(reader, table, allowPast, depth + 1);
    if (!reader.tryTake(')')) throw reader.refuseNext('AND, OR or )');
    return condition;
  }
  if (allowPast && (reader.is('exists') || reader.is('count')) && reader.is('(', 1)) return readPast(reader);
  const column = readColumn(reader, table);
  if (reader.tryTake('IS')) {
    const isNot = reader.tryTake('NOT');
    reader.take('NULL');
    const missing: Condition = { kind: 'missing', column };
    return isNot ? { kind: 'not', of: missing } : missing;
  }
  const isNot = reader.tryTake('NOT');
  if (isNot || reader.is('IN')) {
    reader.take('IN');
    reader.take('(');
    const values = [readValue(reader)];
    while (reader.tryTake(',')) values.push(readValue(reader));
    if (!reader.tryTake(')')) throw reader.refuseNext(', or )');
    const one: Condition = { kind: 'in', column, values };
    return isNot ? { kind: 'not', of: one } : one;
  }
  const is = readComparison(reader);
  if (!is) throw reader.refuseNext('=, !=, >, >=, <, <=, IN, NOT IN, IS NULL or IS NOT NULL');
  return { kind: 'compare', column, is, value: readValue(reader) };
}

/** `exists(table [VIA path] [WHERE condition] [IN LAST 90d])`, or `count(…) > 3`. */
function readPast(reader: Reader): Condition {
  const isCount = reader.next().text.toLowerCase() === 'count';
  reader.take('(');
  const table = readName(reader, 'a table');
  const via = reader.tryTake('VIA') ? { reference: readPath(reader) } : {};
  const where = reader.tryTake('WHERE') ? { where: readCondition(reader, table, false) } : {};
  let days: number | undefined;
  if (reader.tryTake('IN')) {
    reader.take('LAST');
    days = readDays(reader, 'days to look back, such as 90d');
  }
  if (!reader.tryTake(')')) throw reader.refuseNext('VIA, WHERE, IN LAST or )');
  const past: Condition = { kind: 'past', rows: { table, ...via, ...where }, ...(days === undefined ? {} : { days }) };
  if (!isCount) return past;
  const is = readComparison(reader);
  if (!is) throw reader.refuseNext('=, !=, >, >=, < or <=');
  return { ...past, than: { is, value: readNumber(reader, 'a number to compare with') } };
}

function readColumn(reader: Reader, table: string): string {
  const first = readName(reader, `a column of ${table}`);
  if (!reader.is('.')) return first;
  if (first !== table)
    throw reader.refuse(`expected a column of ${table}: conditions read the table they stand with, not ${first}`);
  reader.next();
  return readName(reader, `a column of ${table}`);
}

function readComparison(reader: Reader): Comparison | null {
  const marks: readonly Comparison[] = ['=', '!=', '>=', '<=', '>', '<'];
  return marks.find((mark) => reader.tryTake(mark)) ?? null;
}

function readValue(reader: Reader): Value {
  const token = reader.peek();
  if (token.kind === 'day') return { moment: readDay(reader) };
  if (reader.tryTake('true')) return true;
  if (reader.tryTake('false')) return false;
  if (token.kind === 'name') throw reader.refuse(`expected a value; a text stands in single quotes: '${token.value}'`);
  const isBare = token.kind === 'word' && !keywords.has(token.text.toLowerCase());
  if (token.kind !== 'number' && token.kind !== 'text' && !isBare)
    throw reader.refuseNext('a number, a text in single quotes, a day such as 2024-01-31, true or false');
  reader.next();
  return token.value;
}

// --- names and numbers ------------------------------------------------------------------------------------------------

function readName(reader: Reader, what: string): string {
  const token = reader.peek();
  if (token.kind === 'word' && keywords.has(token.text.toLowerCase()))
    throw reader.refuse(`expected ${what}, found ${token.text}; a name spelt like this stands in double quotes`);
  if (token.kind !== 'word' && token.kind !== 'name') throw reader.refuseNext(what);
  return String(reader.next().value);
}

function readPath(reader: Reader): string[] {
  const path = [readName(reader, 'a reference column')];
  while (reader.tryTake('.')) path.push(readName(reader, 'a reference column'));
  return path;
}

function readNumber(reader: Reader, what: string): number {
  if (reader.peek().kind !== 'number') throw reader.refuseNext(what);
  return Number(reader.next().value);
}

/** `30d`, `12h`, `8w`, `30 days`. */
function readDays(reader: Reader, what: string): number {
  const token = reader.peek();
  if (token.kind !== 'days' && token.kind !== 'number') throw reader.refuseNext(what);
  const days = parseDays(token.text);
  if (days === null) throw reader.refuse(`expected ${what} above zero, found ${token.text}`);
  reader.next();
  if (token.kind === 'number' && !reader.tryTake('days')) reader.tryTake('day');
  return days;
}

/** Whole days from `least`: `30d`, `30 days`, `30`. */
function readWhole(reader: Reader, what: string, least: number): number {
  const token = reader.peek();
  if (!isNumber(reader)) throw reader.refuseNext(what);
  const days = /^0d?$/i.test(token.text) ? 0 : parseDays(token.text);
  if (days === null || !Number.isInteger(days) || days < least)
    throw reader.refuse(`expected ${what}, whole and from ${least}, found ${token.text}`);
  reader.next();
  if (token.kind === 'number' && !reader.tryTake('days')) reader.tryTake('day');
  return days;
}

function readDay(reader: Reader): number {
  const token = reader.peek();
  const moment = token.kind === 'day' ? parseDay(token.text) : Number.NaN;
  if (Number.isNaN(moment)) throw reader.refuseNext('a day such as 2024-01-31');
  reader.next();
  return moment;
}
