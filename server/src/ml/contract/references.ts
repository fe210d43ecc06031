import { because, type Confidence, type Guess } from './guess.ts';
import type { Hubs } from './hubs.ts';
import { identifierShape, isCalledAfter, isNamedAfter, namesSuperior, referenceLikeness, wordsOf } from './names.ts';
import type { Profile, TableProfile } from './profile.ts';
import type { PlainCode, Reason } from './reasons.ts';

export type ReferenceGuess = {
  readonly column: Profile;
  readonly target: TableProfile;
  readonly key: Profile;
  readonly guess: Guess;
};

/** A table that can be referenced: it has a key of one column. */
export type ReferenceTarget = { readonly table: TableProfile; readonly key: Profile };

type Candidate = {
  readonly target: ReferenceTarget;
  readonly likeness: number;
  /** Share of filled rows whose value is a key of the target. */
  readonly inclusion: number;
  /** Share of the target's keys that occur in the column. */
  readonly coverage: number;
  /** How unlikely this inclusion is by chance: -ln of its probability. */
  readonly evidence: number;
  readonly isSelf: boolean;
};

const sampledValues = 200;
/**
 * Beyond this evidence the values alone suffice: some 20 distinct values in a key set that fills a third of its range.
 */
const evidenceStrong = 20;

/** The columns of a table that hold keys of other tables (or its own), each with its best target. */
export function findReferences(
  table: TableProfile,
  targets: readonly ReferenceTarget[],
  ownKey: Profile | null,
  rowNumbers: ReadonlySet<string>,
  hubs: Hubs,
): ReferenceGuess[] {
  const found: ReferenceGuess[] = [];
  for (const column of table.columns) {
    if (column.filled === 0 || (column.type !== 'integer' && column.type !== 'string')) continue;
    if (rowNumbers.has(wordsOf(column.name).join())) continue;
    const candidates: Candidate[] = [];
    for (const target of targets) {
      if (target.key === column || isCopy(target.key, column, hubs)) continue;
      if (target.table === table && restates(column, target.key)) continue;
      const candidate = measure(table, column, target, column === ownKey);
      if (candidate !== null) candidates.push(candidate);
    }
    const evaluated = choose(table, column, candidates);
    if (evaluated !== null) found.push(evaluated);
  }
  return found.map((reference) => doubtRestated(reference, found));
}

/** Doubts a reference that nearly always leads where another of the row leads: the codes of another system. */
function doubtRestated(reference: ReferenceGuess, found: readonly ReferenceGuess[]): ReferenceGuess {
  const { column, target, key, guess } = reference;
  const isNamed = (of: ReferenceGuess) => wordsOf(of.column.name).join() === wordsOf(of.key.name).join();
  const first = found.find((other) => other.target === target && other.key === key && isNamed(other));
  if (!first || first === reference || !restates(column, first.column)) return reference;
  return {
    ...reference,
    guess: {
      ...guess,
      confidence: 'low',
      ...because(...guess.because, { code: 'same_as', column: first.column.name }),
    },
  };
}

/**
 * Whether a key only copies the key of a hub. A column with its name refers to the hub, and the hub itself refers to no
 * copy.
 */
function isCopy(key: Profile, column: Profile, hubs: Hubs): boolean {
  const hub = hubs.get(key);
  return hub !== undefined && (hub === column || wordsOf(key.name).join() === wordsOf(column.name).join());
}

/** Share of rows from which on a column that has what another has is another name of it. */
const restatedMin = 0.9;

function restates(column: Profile, other: Profile): boolean {
  let same = 0;
  for (let row = 0; row < column.rows; row++)
    if (column.codes[row] >= 0 && column.texts[column.codes[row]] === other.texts[other.codes[row]]) same++;
  return same >= column.filled * restatedMin;
}

function measure(table: TableProfile, column: Profile, target: ReferenceTarget, isOwnKey: boolean): Candidate | null {
  const { key } = target;
  const isSelf = target.table === table;
  let likeness = referenceLikeness(column.name, target.table.name, key.name);
  if (isSelf && namesSuperior(column.name)) likeness = Math.max(likeness, 0.6);
  const isNumeric = column.type === 'integer' && key.type === 'integer';
  if (isNumeric && likeness === 0 && !isSparse(key)) return null;
  if (column.type !== key.type && likeness < 0.8) return null;
  if (likeness === 0 && (column.distinct < 5 || isOwnKey || (isNumeric && identifierShape(key.name) === 0)))
    return null;
  // A key that is also a reference (in a table that extends another) is named after the other table, not its own.
  if (isOwnKey && (likeness < 0.9 || isNamedAfter(column.name, table.name))) return null;
  const index = indexOf(key);
  if (!passesSample(column, index)) return null;
  let rows = 0;
  let distinct = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [code, text] of column.texts.entries()) {
    if (!index.has(text)) continue;
    rows += column.counts[code];
    distinct++;
    const value = column.numbers?.[code] ?? 0;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (rows === 0) return null;
  return {
    target,
    likeness,
    inclusion: rows / column.filled,
    coverage: distinct / key.distinct,
    evidence: distinct * chanceCost(key, isNumeric, lowest, highest),
    isSelf,
  };
}

/** The evidence of one included value: -ln of the share of keys among the values around it. */
function chanceCost(key: Profile, isNumeric: boolean, lowest: number, highest: number): number {
  if (isNumeric) {
    const near = key.numbers!.reduce((sum, value) => sum + (value >= lowest && value <= highest ? 1 : 0), 0);
    return -Math.log(Math.min(1, near / (highest - lowest + 1)));
  }
  return Math.log(1 + meanLength(key) ** 2);
}

function meanLength({ texts, distinct }: Profile): number {
  return texts.reduce((sum, text) => sum + text.length, 0) / distinct;
}

/** Whether whole numbers are spread so thinly that a match by chance is rare. */
function isSparse(key: Profile): boolean {
  return key.distinct >= 10 && key.maximum - key.minimum + 1 > key.distinct * 3;
}

const indexes = new WeakMap<Profile, Set<string>>();
function indexOf(key: Profile): ReadonlySet<string> {
  let index = indexes.get(key);
  if (index === undefined) indexes.set(key, (index = new Set(key.texts)));
  return index;
}

/** A quick check of evenly spaced values, so that hopeless pairs cost almost nothing. */
function passesSample(column: Profile, index: ReadonlySet<string>): boolean {
  if (column.distinct <= sampledValues * 2) return true;
  const step = Math.floor(column.distinct / sampledValues);
  let hits = 0;
  for (let code = 0, taken = 0; taken < sampledValues; code += step, taken++) if (index.has(column.texts[code])) hits++;
  return hits >= sampledValues * 0.25;
}

function choose(table: TableProfile, column: Profile, candidates: Candidate[]): ReferenceGuess | null {
  let best: { candidate: Candidate; confidence: Confidence; reasons: readonly Reason[]; rank: number } | null = null;
  let second = 0;
  for (const candidate of candidates) {
    const evaluated = evaluate(table, column, candidate);
    if (evaluated === null) continue;
    if (best === null || evaluated.rank > best.rank) {
      second = best?.rank ?? 0;
      best = { candidate, ...evaluated };
    } else {
      second = Math.max(second, evaluated.rank);
    }
  }
  if (best === null) return mentionPartial(table, column, candidates);
  let { confidence, reasons } = best;
  if (best.candidate.likeness < 0.55 && second > best.rank * 0.9) {
    confidence = 'low';
    reasons = [...reasons, { code: 'rival_table' }];
  }
  const { target } = best.candidate;
  return {
    column,
    target: target.table,
    key: target.key,
    guess: {
      table: table.name,
      column: column.name,
      kind: 'reference',
      value: `${target.table.name}.${target.key.name}`,
      confidence,
      ...because(...reasons),
    },
  };
}

/** At least this share of a column's values must be keys for the column to be mentioned. */
const partialMin = 0.1;
/** From this share on, the others are partners whose rows the data lack, if no chance or common code explains it. */
const partialReferenceMin = 1 / 3;
/** Texts of so many characters on average are no codes that two lists may have in common. */
const unmistakableLength = 16;

/**
 * The texts of a column that are in part keys of a table, far too often for chance: a reference where they cannot be
 * anything else, and else a remark.
 */
function mentionPartial(table: TableProfile, column: Profile, candidates: readonly Candidate[]): ReferenceGuess | null {
  if (column.type === 'integer') return null;
  const [best] = candidates
    .filter(({ inclusion, evidence }) => inclusion >= partialMin && evidence >= evidenceStrong * 2)
    .sort((a, b) => b.inclusion - a.inclusion);
  if (best === undefined) return null;
  const { table: target, key } = best.target;
  const share: Reason = { code: 'keys_there', percent: Math.round(best.inclusion * 100) };
  const isSure = best.inclusion >= partialReferenceMin && meanLength(key) >= unmistakableLength;
  return {
    ...{ column, target, key },
    guess: {
      ...{ table: table.name, column: column.name, kind: 'reference', value: `${target.name}.${key.name}` },
      confidence: isSure ? 'medium' : 'low',
      ...(isSure
        ? because(share, { code: 'by_values' }, { code: 'others_lacking' })
        : because(share, { code: 'if_others_lacking' })),
    },
  };
}

function evaluate(
  table: TableProfile,
  column: Profile,
  candidate: Candidate,
): { confidence: Confidence; reasons: readonly Reason[]; rank: number } | null {
  const { likeness, inclusion, coverage, evidence, isSelf, target } = candidate;
  const isNumeric = column.type === 'integer';
  const shape = identifierShape(column.name);
  const { key } = target;
  const reach = isNumeric ? (column.maximum - column.minimum + 1) / (key.maximum - key.minimum + 1) : coverage;
  // Numbers that merely lie inside a long run of keys prove nothing. The values of an identifier spread over the keys.
  const isSpread = coverage >= 0.3 || reach >= 0.6 || evidence >= evidenceStrong;
  const share: Reason = { code: 'keys_there', percent: Math.floor(inclusion * 1000) / 10 };
  const rank =
    likeness * 2 +
    inclusion +
    Math.min(1, evidence / evidenceStrong) * 0.5 +
    Math.min(coverage, reach) * 0.5 +
    (isCalledAfter(target.table.name, column.name) ? 0.5 : 0);
  const say = (confidence: Confidence, ...codes: readonly PlainCode[]) => ({
    confidence,
    reasons: [...codes.map((code) => ({ code })), share],
    rank,
  });
  const isAgreed = likeness >= 0.8 && (shape > 0 || !isNumeric || isSpread);
  if (isAgreed) {
    const name = likeness === 1 ? 'names_agree' : 'holds_table_name';
    const isPlain = shape > 0 || !isNumeric;
    if (inclusion >= 0.95)
      return say(likeness >= 0.85 && isPlain && (isSpread || likeness === 1) ? 'high' : 'medium', name);
    if (inclusion >= 0.8) return say(shape > 0 ? 'medium' : 'low', name);
    if (!isNumeric && inclusion >= partialReferenceMin && evidence >= evidenceStrong * 2) {
      const found = say('medium', name);
      return { ...found, reasons: [...found.reasons, { code: 'others_lacking' }] };
    }
    return inclusion >= 0.5 && shape > 0 ? say('low', name) : null;
  }
  if (inclusion < 0.95) return null;
  if (likeness >= 0.55 && shape > 0) return say(isSpread ? 'medium' : 'low', 'like_table_name');
  if (isSelf && isNumeric && shape > 0 && column.distinct >= 10 && pointsBack(table, column, key)) {
    return say(likeness >= 0.3 && evidence >= evidenceStrong / 4 ? 'medium' : 'low', 'earlier_rows');
  }
  if (likeness >= 0.3) {
    if (!isNumeric)
      return column.distinct >= 3 ? say(evidence >= evidenceStrong ? 'medium' : 'low', 'named_identifier') : null;
    if (column.distinct < 10) return null;
    const isFit = evidence >= evidenceStrong || (reach >= 0.9 && coverage >= 0.3);
    return isFit ? say('medium', 'named_identifier', 'spread') : null;
  }
  if (inclusion < 0.99 || evidence < evidenceStrong) return null;
  // Whole numbers that lie among the row numbers of their own table are mostly no more than that.
  if (likeness === 0 && isSelf && isNumeric) return null;
  if (isNumeric && shape === 0) {
    // Whole numbers with another meaning do not match thinly spread keys every time.
    const isSure = evidence >= evidenceStrong * 10 && evidence >= column.distinct * 2;
    return isSure && coverage >= 0.05 ? say('medium', 'by_values', 'beyond_chance') : null;
  }
  // Few lead many: of a table's own rows few may be named.
  return say(coverage >= 0.1 || column.distinct >= 20 || isSelf ? 'medium' : 'low', 'by_values');
}

/** Whether nearly every value is the key of an earlier row. Parents come before their children. */
function pointsBack(table: TableProfile, column: Profile, key: Profile): boolean {
  let back = 0;
  for (let row = 0; row < table.rows; row++) {
    const code = column.codes[row];
    if (code >= 0 && column.numbers![code] < key.numbers![key.codes[row]]) back++;
  }
  return back >= column.filled * 0.98;
}
