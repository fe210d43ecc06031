import { nearestWord } from '../../lib/nearest-word.ts';
import { type KindName, kinds } from '../kinds/kinds.ts';
import type { Condition, RowsOf, Threshold } from './condition.ts';
import { readCondition } from './parse-condition.ts';
import { readDelinquency } from './parse-delinquency.ts';
import { readPayment } from './parse-payment.ts';
import {
  openReader,
  type Reader,
  readComparison,
  readDay,
  readDays,
  readName,
  readNumber,
  readPath,
  readWhole,
  shorten,
} from './query-reader.ts';
import { type AskedTarget, kindOf, questionProblem } from './question.ts';
import { type AnchorLayout, type FutureRows, horizonsMax, type Question, type Target } from './target.ts';
import { keywords, type Token } from './tokens.ts';

/** Whether a definition is a query rather than YAML. */
export function isQuery(text: string): boolean {
  return /^\s*PREDICT\b(?!\s*:)/i.test(text);
}

/**
 * Parses a query: `PREDICT exists(payment WHERE days_late > 30) WITHIN 30d, 90d FOR customer`. The grammar is in
 * docs/ask-a-question.md. Throws Failure 'invalid' with the line and column and what is expected there.
 * `names`: see `openReader`.
 */
export function parseQuery(text: string, file: string, names: readonly string[] = []): Question {
  const reader = openReader(text, file, names);
  reader.take('PREDICT');
  const asked = readAsked(reader);
  const clauses = readClauses(reader);
  const { kind, target } = settle(reader, asked, clauses);
  const entity = clauses.entity ?? (target.kind === 'delinquency' ? target.table : undefined);
  if (entity === undefined) throw reader.refuse({ code: 'without_entity' });
  const { population, anchors } = clauses;
  return {
    entity,
    kind,
    target,
    ...(population ? { population } : {}),
    ...(anchors ? { anchors } : {}),
  };
}

function readAsked(reader: Reader): AskedTarget {
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
  throw reader.refuseNext('exists, NOT exists, count, sum, first, next or delinquency', verbs);
}

const verbs = ['exists', 'NOT', 'count', 'sum', 'first', 'next', 'delinquency'];

function readThan(reader: Reader): { than?: Threshold } {
  const is = readComparison(reader);
  return is ? { than: { is, value: readNumber(reader, 'a number to compare with') } } : {};
}

/** Reads `(table [. column] [VIA path] [OVERDUE 30d (due, paid)] [WHERE condition])`. */
function readRows(reader: Reader, hasColumn = false): RowsOf & Pick<FutureRows, 'overdue'> & { column?: string } {
  reader.take('(');
  const table = readName(reader, 'a table');
  let column: string | undefined;
  if (hasColumn) {
    reader.take('.');
    column = readName(reader, `a column of ${table}`);
  }
  const via = reader.tryTake('VIA') ? { reference: readPath(reader) } : {};
  let overdue: FutureRows['overdue'];
  if (reader.tryTake('OVERDUE')) {
    const days = readWhole(reader, 'a number of days', 0);
    overdue = { days, ...readPayment(reader, table) };
  }
  const where = reader.tryTake('WHERE') ? { where: readCondition(reader, table, false) } : {};
  if (!reader.is(')'))
    throw reader.refuseNext(
      Object.keys(where).length > 0
        ? 'AND, OR or )'
        : overdue
          ? 'WHERE or ), as VIA stands before OVERDUE'
          : Object.keys(via).length > 0
            ? 'OVERDUE, WHERE or )'
            : 'VIA, OVERDUE, WHERE or )',
      ['VIA', 'OVERDUE', 'WHERE', 'AND', 'OR'],
    );
  reader.next();
  return { table, ...(column === undefined ? {} : { column }), ...via, ...(overdue ? { overdue } : {}), ...where };
}

// --- clauses
// ----------------------------------------------------------------------------------------------------------

type Clauses = {
  entity?: string;
  population?: Condition;
  reference?: readonly string[];
  horizonsDays?: readonly number[];
  anchors?: AnchorLayout;
  kind?: KindName;
  /** The last token that set something about the anchors, and the one that set the kind. */
  anchorsAt?: Token;
  kindAt?: Token;
};

/** Reads WITHIN, FOR … WHERE, VIA, EVERY or ONCE, FROM, UNTIL and AS, each at most once, in any order. */
function readClauses(reader: Reader): Clauses {
  const clauses: Clauses = {};
  const seen = new Set<string>();
  while (reader.peek().kind !== 'end') {
    const token = reader.next();
    const word = token.kind === 'word' ? token.text.toUpperCase() : '';
    if (seen.has(word)) throw reader.refuse({ code: 'given_twice', word }, token);
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
        { code: 'no_clause', clauses: clauseWords, found: shorten(token.text), ...hintAt(token, clauses) },
        token,
      );
    if (['EVERY', 'ONCE', 'FROM', 'UNTIL'].includes(word)) clauses.anchorsAt = token;
    if (word === 'AS') clauses.kindAt = token;
  }
  return clauses;
}

const clauseWords = ['WITHIN', 'FOR', 'VIA', 'EVERY', 'ONCE', 'FROM', 'UNTIL', 'AS'];

/** What was probably meant by a token that begins no clause. */
function hintAt(
  { kind, text }: Token,
  { entity }: Clauses,
): { readonly meant: string | null; readonly hint: 'where' | 'for' | null } {
  const none = { meant: null, hint: null };
  if (kind !== 'word') return none;
  if (text.toUpperCase() === 'WHERE') return { ...none, hint: entity === undefined ? null : 'where' };
  const meant = nearestWord(text, [...clauseWords, 'days', 'weeks', 'hours']);
  if (meant !== null || keywords.has(text.toLowerCase())) return { ...none, meant };
  return { ...none, hint: entity === undefined ? 'for' : null };
}

function readHorizons(reader: Reader): readonly number[] {
  const start = reader.peek();
  const days = [readDays(reader, 'days to look ahead, such as 30d')];
  while (reader.tryTake(',')) days.push(readDays(reader, 'days to look ahead, such as 30d'));
  if (days.length > horizonsMax)
    throw reader.refuse({ code: 'many_horizons', count: days.length, most: horizonsMax }, start);
  const sorted = days.toSorted((a, b) => a - b);
  const twice = sorted.find((one, k) => one === sorted[k + 1]);
  if (twice !== undefined) throw reader.refuse({ code: 'horizon_twice', days: twice }, start);
  return sorted;
}

/** Kinds without heads: a query asks for one output. */
const queriedKinds = kinds.filter(({ learns }) => !('heads' in learns)).map(({ name }) => name);

function readKind(reader: Reader): KindName {
  const kind = queriedKinds.find((one) => reader.tryTake(one));
  if (!kind) throw reader.refuseNext(queriedKinds.join(', '), queriedKinds);
  return kind;
}

/** Combines clauses and target, and refuses what does not fit together. */
function settle(reader: Reader, asked: AskedTarget, clauses: Clauses): { kind: KindName; target: Target } {
  const { horizonsDays, anchors, kind: given, kindAt, anchorsAt } = clauses;
  if (clauses.reference && 'reference' in asked) throw reader.refuse({ code: 'given_twice', word: 'VIA' });
  const via = clauses.reference ? { reference: clauses.reference } : {};
  const problem = questionProblem(asked, horizonsDays, anchors, given);
  if (problem)
    throw reader.refuse(
      problem.mistake,
      problem.of === 'kind' ? kindAt : problem.of === 'anchors' ? anchorsAt : undefined,
    );
  if (anchors?.from !== undefined && anchors.until !== undefined && anchors.until < anchors.from)
    throw reader.refuse({ code: 'until_before_from' }, anchorsAt);
  const kind = given ?? kindOf(asked);
  if (asked.kind === 'rows') return { kind, target: { ...asked, ...via, horizonsDays: horizonsDays! } };
  return { kind, target: { ...asked, ...via, ...(horizonsDays ? { horizonsDays } : {}) } };
}
