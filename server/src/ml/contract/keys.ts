import { because, type Guess } from './guess.ts';
import { type Hubs, isOwnIdentifier } from './hubs.ts';
import { identifierShape, isCalledAfter, subjectOf, tableSubject, wordsOf } from './names.ts';
import { isUnique, type Profile, type TableProfile } from './profile.ts';
import type { PlainCode, Reason } from './reasons.ts';

export type KeyGuess = { readonly columns: readonly Profile[]; readonly score: number; readonly guess: Guess };

const keyTextLengthMax = 80;
const scoreMin = 3.5;
const metScore = 5;
const scoreHigh = 5;

/**
 * The single column that identifies a row, or null. It must be unique and never empty; name, position and form decide
 * between candidates. A copy of a hub's key is not the key, unless the table has no identifier of its own.
 */
export function findKey(table: TableProfile, tables: readonly TableProfile[], hubs: Hubs): KeyGuess | null {
  const hasOwn = table.columns.some((column) => !hubs.has(column) && isOwnIdentifier(table, column, tables));
  let best: { column: Profile; score: number; reasons: Reason[] } | null = null;
  for (const column of table.columns) {
    if (!isUnique(column) || (hasOwn && hubs.has(column))) continue;
    const { score: own, reasons } = keyScore(table, column);
    const isMet = own > 0 && isMetElsewhere(table, column, tables);
    const score = own + (isMet ? metScore : 0);
    if (isMet) reasons.push({ code: 'held_elsewhere' });
    if (best === null || score > best.score) best = { column, score, reasons };
  }
  if (best === null || best.score < scoreMin) return findNameKey(table, tables);
  return keyGuess(table, [best.column], best.score, [{ code: 'unique' }, ...best.reasons]);
}

/** Least distinct values of a column that show that it holds the names of another table's rows. */
const namesMin = 10;
/** Share of them that must be such names. */
const namesShareMin = 0.98;

/**
 * Texts that nothing in their name calls a key, such as the names of people or paths of files, by which rows of other
 * tables name these rows; null where there are none.
 */
function findNameKey(table: TableProfile, tables: readonly TableProfile[]): KeyGuess | null {
  for (const column of table.columns) {
    if (column.type !== 'string' || !isUnique(column) || column.texts.some(({ length }) => length > keyTextLengthMax))
      continue;
    const names = new Set(column.texts);
    for (const other of tables) {
      if (other === table) continue;
      const naming = other.columns.find(
        ({ type, distinct, filled, texts }) =>
          type === 'string' &&
          distinct >= namesMin &&
          distinct < filled &&
          texts.filter((text) => names.has(text)).length >= distinct * namesShareMin,
      );
      if (naming)
        return keyGuess(table, [column], scoreMin, [
          { code: 'unique' },
          { code: 'names_rows', column: `${other.name}.${naming.name}` },
        ]);
    }
  }
  return null;
}

const nearlyUnique = 0.95;

/**
 * For a table without a key: a remark on the column that would be its key, but for a few repeated or missing values.
 */
export function remarkNearKey(table: TableProfile): Guess | null {
  const near = table.columns
    .filter((column) => column.distinct < column.rows && column.distinct >= column.rows * nearlyUnique)
    .map((column) => ({ column, score: keyScore(table, column).score }))
    .filter(({ score }) => score >= scoreMin)
    .sort((a, b) => b.score - a.score)[0];
  if (near === undefined) return null;
  const { name, rows, filled, distinct } = near.column;
  const faults = { repeated: filled - distinct, missing: rows - filled, rows, first: findRepeats(table, near.column) };
  return {
    ...{ table: table.name, column: name, kind: 'key', value: name, confidence: 'low' },
    ...because({ code: 'near_key', ...faults }),
  };
}

const repeatsTold = 3;

/** The first rows of a column that repeat an earlier value. Their values are nobody's to tell. */
function findRepeats({ rowNumbers }: TableProfile, { codes, distinct }: Profile): { row: number; of: number }[] {
  if (rowNumbers === null) return [];
  const first = new Int32Array(distinct).fill(-1);
  const told: { row: number; of: number }[] = [];
  for (const [row, code] of codes.entries()) {
    if (code < 0) continue;
    if (first[code] < 0) first[code] = row;
    else if (told.push({ row: rowNumbers[row], of: rowNumbers[first[code]] }) === repeatsTold) break;
  }
  return told;
}

/**
 * Whether another table repeats the values of a column under the column's or its table's name. Row numbers never do.
 */
function isMetElsewhere(table: TableProfile, column: Profile, tables: readonly TableProfile[]): boolean {
  const name = wordsOf(column.name).join();
  const met = tables
    .filter((other) => other !== table)
    .flatMap((other) => other.columns)
    .filter((other) => other.type === column.type)
    // Text keys also occur under the name of their table: `customer` holds documents of customers.
    .filter(
      (other) =>
        wordsOf(other.name).join() === name || (column.type === 'string' && isCalledAfter(table.name, other.name)),
    )
    .filter((other) => other.distinct < other.filled && other.distinct >= 2);
  if (met.length === 0) return false;
  const values = new Set(column.texts);
  return met.some((other) => {
    const step = Math.ceil(other.distinct / 500);
    const sample = other.texts.filter((_, i) => i % step === 0);
    return sample.filter((text) => values.has(text)).length >= sample.length * 0.9;
  });
}

function keyScore(table: TableProfile, column: Profile): { score: number; reasons: Reason[] } {
  const reasons: Reason[] = [];
  if (column.type !== 'integer' && column.type !== 'string') return { score: 0, reasons };
  let score = 0;
  const add = (points: number, code: PlainCode): void => {
    score += points;
    reasons.push({ code });
  };
  const subject = subjectOf(column.name);
  const shape = identifierShape(column.name);
  const words = tableSubject(table.name);
  const likeness = subject.filter((word) => words.includes(word)).length / Math.max(1, subject.length);
  if (shape === 2) add(subject.length === 0 ? 4.5 : 3, 'named_identifier');
  else if (shape === 1) add(1.2, 'named_code');
  if (subject.join('') === words.join('')) add(3, 'table_name');
  else if (likeness > 0) add(shape > 0 ? 2 * likeness : likeness, 'like_table_name');
  if (column.position === 0) add(2, 'first_column');
  else if (column.position <= 2) add(0.3, 'early_column');
  if (column.type === 'integer') {
    add(0.7, 'whole_numbers');
    if (column.maximum - column.minimum < column.rows * 1.05 && column.minimum >= 0) add(1, 'counting');
  } else {
    const lengths = column.texts.map((text) => text.length);
    const longest = lengths.reduce((max, length) => Math.max(max, length), 0);
    if (longest > keyTextLengthMax) return { score: 0, reasons };
    if (lengths.every((length) => length === longest)) add(1.2, 'equal_length');
    else if (longest <= 24) add(0.5, 'short_codes');
    if (column.texts.every((text) => /^[A-Z0-9_-]+$/.test(text))) add(0.5, 'capitals');
    const spaced = column.texts.filter((text) => /\s|\/\//.test(text)).length;
    if (spaced > column.texts.length * 0.02) score -= 2.5;
  }
  // In few rows, values may be unique by chance.
  if (table.rows < 20 && shape === 0 && likeness === 0) score -= 1;
  return { score, reasons };
}

/**
 * Names under which several tables merely number their rows (`row_id`): columns alike in name and values that do not
 * refer to one another. Returned as their words joined by commas.
 */
export function findRowNumbers(tables: readonly TableProfile[]): Set<string> {
  const byName = new Map<string, Profile[]>();
  for (const column of tables.flatMap((table) => table.columns)) {
    const name = wordsOf(column.name).join();
    byName.set(name, [...(byName.get(name) ?? []), column]);
  }
  const isNumbering = (column: Profile): boolean =>
    isUnique(column) &&
    column.type === 'integer' &&
    (column.minimum === 0 || column.minimum === 1) &&
    column.maximum <= column.rows;
  const found = [...byName].filter(
    ([, columns]) =>
      columns.length > 1 &&
      columns.every(isNumbering) &&
      !tables.some((table) => isCalledAfter(table.name, columns[0].name)),
  );
  return new Set(found.map(([name]) => name));
}

/**
 * The references (and counters such as a line number) that together identify a row, or null. Used when no single column
 * does. Pairs are tried before triples, in column order.
 */
export function findCompoundKey(table: TableProfile, references: ReadonlySet<string>): KeyGuess | null {
  if (table.rows < 2) return null;
  const filled = table.columns.filter((column) => column.filled === column.rows && column.distinct > 1);
  const pointing = filled.filter((column) => references.has(column.name));
  const others = filled.filter(
    (column) =>
      !references.has(column.name) &&
      (column.type === 'integer' || column.type === 'string') &&
      (identifierShape(column.name) > 0 || isCounter(column)),
  );
  const candidates: Profile[][] = [
    ...pairs(pointing),
    ...pointing.flatMap((a) => others.map((b) => [a, b])),
    ...pairs(pointing).flatMap((pair) =>
      [...pointing, ...others].filter((c) => !pair.includes(c)).map((c) => [...pair, c]),
    ),
    ...pairs(others.filter((column) => identifierShape(column.name) > 0)),
  ];
  for (const columns of candidates.slice(0, triedMax)) {
    if (columns.reduce((product, column) => product * column.distinct, 1) < table.rows) continue;
    if (!areUniqueTogether(columns, table.rows)) continue;
    const counter = columns.find((column) => others.includes(column) && identifierShape(column.name) === 0);
    if (
      counter &&
      !countsWithin(
        columns.filter((column) => column !== counter),
        counter,
      )
    )
      continue;
    const ordered = columns.toSorted((a, b) => a.position - b.position);
    return keyGuess(table, ordered, scoreMin, [{ code: 'unique_together' }]);
  }
  return null;
}

/** Most sets of columns that are tried as a key. Those that repeat are given up at their first repetition. */
const triedMax = 400;

/** Whether a column holds whole numbers that start at 0 or 1 and stay below 1,000. */
function isCounter(column: Profile): boolean {
  return column.type === 'integer' && (column.minimum === 0 || column.minimum === 1) && column.maximum < 1000;
}

/** Share of the rows that must be numbered without a gap: some may have been left out. */
const numberedMin = 0.95;

/**
 * Whether a column numbers the rows that the others have in common: 1 for the only one, 1 and 2 for two. A measure may
 * complete a key by chance, and does not count.
 */
function countsWithin(others: readonly Profile[], counter: Profile): boolean {
  const groups = new Map<string, { rows: number; highest: number }>();
  for (let row = 0; row < counter.rows; row++) {
    const group = others.map((column) => column.codes[row]).join();
    const value = counter.numbers![counter.codes[row]] - counter.minimum + 1;
    const known = groups.get(group);
    if (known === undefined) groups.set(group, { rows: 1, highest: value });
    else {
      known.rows++;
      known.highest = Math.max(known.highest, value);
    }
  }
  let numbered = 0;
  for (const { rows, highest } of groups.values()) if (rows === highest) numbered += rows;
  return numbered >= counter.rows * numberedMin;
}

function pairs(columns: readonly Profile[]): Profile[][] {
  return columns.flatMap((a, i) => columns.slice(i + 1).map((b) => [a, b]));
}

function areUniqueTogether(columns: readonly Profile[], rows: number): boolean {
  const seen = new Set<number | string>();
  const size = columns.reduce((product, column) => product * (column.distinct + 1), 1);
  for (let row = 0; row < rows; row++) {
    const combined =
      size < Number.MAX_SAFE_INTEGER
        ? columns.reduce((sum, column) => sum * (column.distinct + 1) + column.codes[row], 0)
        : columns.map((column) => column.codes[row]).join();
    if (seen.has(combined)) return false;
    seen.add(combined);
  }
  return true;
}

function keyGuess(
  table: TableProfile,
  columns: readonly Profile[],
  score: number,
  reasons: readonly Reason[],
): KeyGuess {
  const value = columns.map((column) => column.name).join(' + ');
  const confidence = columns.length === 1 && score >= scoreHigh ? 'high' : 'medium';
  const column = columns[0].name;
  return {
    columns,
    score,
    guess: { table: table.name, column, kind: 'key', value, confidence, ...because(...reasons) },
  };
}
