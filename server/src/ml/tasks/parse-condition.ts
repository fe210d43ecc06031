import type { Condition, Value } from './condition.ts';
import {
  openReader,
  type Reader,
  readComparison,
  readDay,
  readDays,
  readName,
  readNumber,
  readPath,
} from './query-reader.ts';
import { keywords } from './tokens.ts';

/** Parses a condition on its own: `days_late > 30 AND kind IN ('a', 'b')`. Throws as `parseQuery` does. */
export function parseCondition(text: string, file: string, table: string, allowPast: boolean): Condition {
  const reader = openReader(text, file);
  const condition = readCondition(reader, table, allowPast);
  reader.takeEnd();
  return condition;
}

/** Maximum nesting depth of conditions. */
export const depthMax = 50;

/** Reads a condition on columns of `table`; with `allowPast` it may also be on the past of an entity. */
export function readCondition(reader: Reader, table: string, allowPast: boolean, depth = 0): Condition {
  if (depth > depthMax) throw reader.refuse({ code: 'deep_conditions', most: depthMax });
  const readAll = (word: string, read: () => Condition): Condition[] => {
    const parts = [read()];
    while (reader.tryTake(word)) parts.push(read());
    return parts;
  };
  const term = () => readTerm(reader, table, allowPast, depth);
  const either = readAll('OR', () => {
    const both = readAll('AND', term);
    return both.length === 1 ? both[0] : { kind: 'and', of: both };
  });
  return either.length === 1 ? either[0] : { kind: 'or', of: either };
}

function readTerm(reader: Reader, table: string, allowPast: boolean, depth: number): Condition {
  if (depth > depthMax) throw reader.refuse({ code: 'deep_conditions', most: depthMax });
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

/** Reads `exists(table [VIA path] [WHERE condition] [IN LAST 90d])`, or `count(…) > 3`. */
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
  if (first !== table) throw reader.refuse({ code: 'other_table', table, found: first });
  reader.next();
  return readName(reader, `a column of ${table}`);
}

function readValue(reader: Reader): Value {
  const token = reader.peek();
  if (token.kind === 'day') return { moment: readDay(reader) };
  if (reader.tryTake('true')) return true;
  if (reader.tryTake('false')) return false;
  if (token.kind === 'name') throw reader.refuse({ code: 'name_for_value', name: String(token.value) });
  const isBare = token.kind === 'word' && !keywords.has(token.text.toLowerCase());
  if (token.kind !== 'number' && token.kind !== 'text' && !isBare)
    throw reader.refuseNext('a number, a text in single quotes, a day such as 2024-01-31, true or false');
  reader.next();
  return token.value;
}
