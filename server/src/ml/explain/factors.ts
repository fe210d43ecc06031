import { assert } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { subjectOf } from '../contract/names.ts';
import { pathOf, type Signal } from '../events/signals.ts';
import {
  allTable,
  type Events,
  eventsKey,
  type Feature,
  type Focus,
  focusKey,
  labelsTable,
  tellsRowsApart,
} from '../features/feature.ts';
import { pairOf } from '../graph/pairs.ts';
import { type Effects, type ExplainedNumber, takeApart } from './effects.ts';
import { isToldSince, type KnownTask, type LineageSource, type Telling, tellingSteps } from './lineage.ts';
import { snake } from './names.ts';
import { isProtected, type ProtectedShape, protectedShapes } from './protected.ts';
import { type Language, openWording } from './wording.ts';

/** A factor with a smaller share of all contributions than this is not reported. */
export const factorShareMin = 0.02;

/**
 * One reason for an answer: a group of features with one meaning, described by the feature with the largest
 * contribution.
 */
type Factor = {
  /** The same in all versions and for all spans. */
  readonly code: string;
  readonly group: string;
  /** Sum of the group's contributions to the margin: log-odds of a probability; for numbers, their unit or its log. */
  readonly contribution: number;
  /** How much of the difference between the explained number and the usual one is due to the group: see `takeApart`. */
  readonly effect: number;
  /** Of the described feature: its value in the row, and its training median. Null: missing. */
  readonly value: number | null;
  readonly usual: number | null;
  readonly text: string;
  readonly path: Feature;
  /** The features whose contributions it sums, where that is asked for. */
  readonly members?: readonly FactorMember[];
};

/** A feature, by its place among all, and its contribution to the margin. */
export type FactorMember = { readonly feature: number; readonly contribution: number };

export type Factors = {
  /** Largest effect first, whichever its direction; in older forms of reasons largest contribution. */
  readonly factors: readonly Factor[];
  /**
   * Contribution of features that read protected or personal columns, which may not be described, and of what is the
   * same for all who are asked about at that time. They count.
   */
  readonly unworded: number;
  /** Contribution of everything else that is not listed. `factors`, `unworded` and `others` sum to the total. */
  readonly others: number;
  /**
   * The explained number of this row, and for the expected margin. Effects of all features, listed or not, sum to the
   * difference.
   */
  readonly answer: number;
  readonly usual: number;
};

export type FactorOptions = KnownTask &
  Telling & {
    /** Most factors per row. */
    readonly most: number;
    readonly language: Language;
    readonly explained: ExplainedNumber;
    /** Whether factors say of which features they are. */
    readonly members?: boolean;
    readonly protectedShapes?: readonly ProtectedShape[];
  };

/**
 * Returns the factors of one row: see `openFactors`. The value of feature f is at `first + f * step`, for a row on its
 * own or a row of a column-major matrix. `atLeast`: see `ExplainedNumber`.
 */
export type TellFactors = (
  contributions: Float64Array,
  values: Float32Array,
  first?: number,
  step?: number,
  atLeast?: number,
) => Factors;

/**
 * Prepares to explain how answers differ from the expected margin, for many rows of one version. All arrays are
 * parallel to `features`; a row's `contributions` end with the expected margin. `usual`: training medians, NaN where
 * there is none.
 */
export function openFactors(
  usual: ArrayLike<number>,
  features: readonly Feature[],
  contract: Contract,
  options: FactorOptions,
): TellFactors {
  const { length } = features;
  assert(usual.length === length, 'what is usual, per feature');
  const source = { contract, entity: options.entity };
  const shapes = options.protectedShapes ?? protectedShapes;
  const mayBeTold = (feature: Feature) => !isProtected(source, feature, shapes);
  // What is the same for all who are asked about at that time is no reason for the answer about one of them.
  const isOwn = (feature: Feature) => tellsRowsApart(feature) && !(options.fresh && readsOwnLabels(feature));
  const isTold = features.some((feature) => mayBeTold(feature) && isOwn(feature))
    ? (feature: Feature) => mayBeTold(feature) && isOwn(feature)
    : mayBeTold;
  const { groups, groupOf } = listGroups(features, isTold);
  const scratch = openSums(groups.length);
  const { explained, reasons } = options;
  const bySize = isToldSince(options, 4);
  // Tellers are cached: few features ever lead, and those that do lead in many rows.
  const tellers: (TellFactor | undefined)[] = [];
  const tellerOf = (f: number): TellFactor =>
    (tellers[f] ??= openFactor(features[f], groups[groupOf[f]], usual[f], contract, options));
  const sources: (string | undefined)[] = [];
  const sourceOf = (f: number): string => (sources[f] ??= nameSource({ ...options, contract }, features[f]) ?? `${f}`);
  return (contributions, values, first = 0, step = 1, atLeast) => {
    assert(contributions.length === length + 1, 'one contribution per feature, and the expected margin');
    assert(values.length > first + (length - 1) * step, 'one value per feature');
    const unworded = sumGroups(contributions, groupOf, scratch);
    const { sums, told, seen } = scratch;
    let raises = Math.max(0, unworded);
    let lowers = Math.min(0, unworded);
    for (let k = 0; k < scratch.count; k++) {
      if (sums[seen[k]] > 0) raises += sums[seen[k]];
      else lowers += sums[seen[k]];
    }
    const least = (raises - lowers) * factorShareMin;
    const of = (margin: number) => explained.of(margin, atLeast);
    const { answer, usual: usualAnswer, ...per } = takeApart(of, contributions[length], raises, lowers);
    if (reasons !== undefined) joinSame(scratch, least, (f) => `${sourceOf(f)} ${values[first + f * step]}`);
    const factors: Factor[] = [];
    const statements = new Set<string>();
    const withoutEvents = new Set<string>();
    keepAtLeast(scratch, least);
    while (factors.length < options.most) {
      const group = takeLargest(scratch, bySize ? per : undefined);
      if (group < 0) break;
      const f = told[group];
      // That somebody has no events is said once, not for each kind of them and each value that they might have.
      const absent = Number.isFinite(values[first + f * step]) ? undefined : absentEvents(features[f]);
      if (absent !== undefined && withoutEvents.has(absent)) continue;
      const effect = sums[group] * (sums[group] > 0 ? per.perRaising : per.perLowering);
      const { factor, statement } = tellerOf(f)(sums[group], effect, values[first + f * step]);
      // Two paths may lead to the same rows; the same statement is not repeated.
      if (statements.has(statement)) continue;
      statements.add(statement);
      if (absent !== undefined) withoutEvents.add(absent);
      factors.push(
        options.members ? { ...factor, members: membersOf(group, groupOf, contributions, scratch) } : factor,
      );
      sums[group] = 0;
    }
    let others = 0;
    for (let k = 0; k < scratch.count; k++) others += sums[seen[k]];
    return { factors, unworded, others, answer, usual: usualAnswer };
  };
}

/** Names whose events a feature lacks where it has no value; undefined for features of no events. */
function absentEvents({ focus, read }: Feature): string | undefined {
  return 'events' in read ? focusKey(ownerOf(focus)) : undefined;
}

/** Whose events lead to a focus: of the loan of the customer's latest payment the customer's, who may have none. */
function ownerOf(focus: Focus): Focus {
  if (focus.kind === 'last' || focus.kind === 'recent') return ownerOf(focus.of);
  if (focus.kind !== 'parent') return focus;
  const owner = ownerOf(focus.of);
  return owner === focus.of ? focus : owner;
}

/** Whether a feature reads earlier labels of the row itself. New rows have none, so that all get the usual rate. */
function readsOwnLabels({ focus, read }: Feature): boolean {
  if (focus.kind !== 'root' || !('events' in read)) return false;
  const { table, via } = read.events;
  return table === labelsTable && via.length === 1 && via[0] === 'entity';
}

/** The groups of features, and the index of each feature's group; -1 for features that are not told. */
function listGroups(features: readonly Feature[], isTold: (feature: Feature) => boolean) {
  const placeOf = new Map<string, number>();
  const groupOf = Int32Array.from(features, (feature) => {
    if (!isTold(feature)) return -1;
    const group = factorGroup(feature);
    let place = placeOf.get(group);
    if (place === undefined) placeOf.set(group, (place = placeOf.size));
    return place;
  });
  return { groups: [...placeOf.keys()], groupOf };
}

/**
 * Sums of one row per group. `sums`: the group's contribution. `told`: its feature with the largest contribution, -1
 * for none. `seen`: the `count` groups with a contribution, in order of their first such feature. `left`: those not
 * taken yet. `joined`: the group that has taken a group's sum, -1 for none.
 */
type Sums = {
  readonly sums: Float64Array;
  readonly told: Int32Array;
  readonly seen: Int32Array;
  readonly left: Int32Array;
  readonly joined: Int32Array;
  count: number;
  leftCount: number;
};

function openSums(groups: number): Sums {
  const [told, seen, left, joined] = [0, 1, 2, 3].map(() => new Int32Array(groups));
  return { sums: new Float64Array(groups), told: told.fill(-1), seen, left, joined, count: 0, leftCount: 0 };
}

/** Sums the contributions by group. Returns the contribution of features that are not told. */
function sumGroups(contributions: Float64Array, groupOf: Int32Array, into: Sums): number {
  const { sums, told, seen, left, joined } = into;
  for (let k = 0; k < into.count; k++) told[seen[k]] = -1;
  let count = 0;
  let unworded = 0;
  for (let f = 0; f < groupOf.length; f++) {
    const contribution = contributions[f];
    if (contribution === 0) continue;
    const group = groupOf[f];
    if (group < 0) unworded += contribution;
    else if (told[group] < 0) {
      sums[group] = contribution;
      told[group] = f;
      joined[group] = -1;
      left[count] = group;
      seen[count++] = group;
    } else {
      sums[group] += contribution;
      if (Math.abs(contribution) > Math.abs(contributions[told[group]])) told[group] = f;
    }
  }
  into.count = into.leftCount = count;
  return unworded;
}

/**
 * Joins the groups of at least `least` whose told features say the same of the same events, on whatever path: all that
 * they moved is of the one that moved it most. `keyOf` a feature: what it says, with its value.
 */
function joinSame({ sums, told, seen, joined, count }: Sums, least: number, keyOf: (f: number) => string): void {
  const first = new Map<string, number>();
  for (let k = 0; k < count; k++) {
    const group = seen[k];
    if (sums[group] === 0 || !(Math.abs(sums[group]) >= least)) continue;
    const key = keyOf(told[group]);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, group);
      continue;
    }
    const [kept, left] = Math.abs(sums[group]) > Math.abs(sums[other]) ? [group, other] : [other, group];
    sums[kept] += sums[left];
    sums[left] = 0;
    joined[left] = kept;
    first.set(key, kept);
  }
}

/** The features of a group, and of those that were joined with it, that moved the answer. */
function membersOf(
  group: number,
  groupOf: Int32Array,
  contributions: Float64Array,
  { joined }: Sums,
): readonly FactorMember[] {
  const members: FactorMember[] = [];
  for (let feature = 0; feature < groupOf.length; feature++) {
    const contribution = contributions[feature];
    let of = groupOf[feature];
    if (of < 0 || contribution === 0) continue;
    while (joined[of] >= 0) of = joined[of];
    if (of === group) members.push({ feature, contribution });
  }
  return members;
}

/** Leaves of the groups not taken yet those that moved the answer, by at least this much of the margin. */
function keepAtLeast(of: Sums, least: number): void {
  const { sums, left } = of;
  let kept = 0;
  for (let k = 0; k < of.leftCount; k++)
    if (sums[left[k]] !== 0 && Math.abs(sums[left[k]]) >= least) left[kept++] = left[k];
  of.leftCount = kept;
}

/**
 * Takes the group with the largest absolute effect of those left: where what raises the margin and what lowers it have
 * other effects `per` unit of contribution, the order is not that of contributions. Of equal ones the group with the
 * larger contribution, and then the one whose told feature comes first. -1: none left.
 */
function takeLargest(of: Sums, per?: Pick<Effects, 'perRaising' | 'perLowering'>): number {
  const { sums, told, left } = of;
  if (of.leftCount === 0) return -1;
  const effectOf = (sum: number) => Math.abs(per ? sum * (sum > 0 ? per.perRaising : per.perLowering) : sum);
  let best = 0;
  for (let k = 1; k < of.leftCount; k++) {
    const [sum, most] = [sums[left[k]], sums[left[best]]];
    const more = effectOf(sum) - effectOf(most) || Math.abs(sum) - Math.abs(most);
    if (more > 0 || (more === 0 && told[left[k]] < told[left[best]])) best = k;
  }
  const group = left[best];
  left[best] = left[--of.leftCount];
  return group;
}

type TellFactor = (contribution: number, effect: number, value: number) => { factor: Factor; statement: string };

function openFactor(
  path: Feature,
  group: string,
  usual: number,
  contract: Contract,
  { language, explained, ...asked }: FactorOptions,
): TellFactor {
  const code = reasonCode(path);
  const word = openWording(path, contract, language, asked, explained);
  return (contribution, effect, value) => {
    const { statement, text } = word({ value, usual, contribution, effect });
    const told = { code, group, contribution, effect, ...asNumbers(path, value, usual), text };
    return { factor: told, statement };
  };
}

/** What is read, of which events of whom, over which time and how it becomes one value: on whatever path of these. */
function nameSource(source: LineageSource, { focus, read }: Feature): string | undefined {
  if (!('events' in read)) return undefined;
  return JSON.stringify([
    focusKey(focus),
    { ...read, events: { ...read.events, via: tellingSteps(source, read.events) } },
  ]);
}

/** A feature and its values as answers have them: of a category, that it is the value that it is. */
function asNumbers(path: Feature, value: number, usual: number): Pick<Factor, 'path' | 'value' | 'usual'> {
  const { focus, read } = path;
  if (read.kind !== 'category') return { path, value: orNull(value), usual: orNull(usual) };
  const { column, values } = read;
  const isTold = value < values.length;
  const own = isTold ? { kind: 'attribute_is' as const, column, value: values[value] } : { ...read, values: [] };
  return { path: { focus, read: own }, value: isTold ? 1 : null, usual: null };
}

/** The key of a group of features with one meaning: the same focus, events and signal or column, over any span. */
export function factorGroup({ focus, read }: Feature): string {
  const events = 'events' in read ? eventsKey(read.events) : '';
  return [focusKey(focus), events, meaningOf(read)].filter((part) => part !== '').join(' ');
}

/**
 * A short code for the meaning of a feature, in lower snake case. All features of a group have the same code, in every
 * version.
 */
export function reasonCode({ focus, read }: Feature): string {
  const events = 'events' in read ? nameEvents(read.events) : [];
  return snake(...nameFocus(focus), ...events, meaningOf(read));
}

function meaningOf(read: Feature['read']): string {
  if ('signal' in read) return nameSignal(read.signal);
  if (read.kind === 'against') return `${read.column} against mean`;
  if (read.kind === 'same') return `same ${read.column}`;
  if ('column' in read) return read.column;
  // The age of a row is named tenure, not to be confused with a person's age.
  return read.kind === 'age' ? 'tenure' : read.kind;
}

function nameSignal(signal: Signal): string {
  switch (signal.kind) {
    case 'column':
      return [...signal.path.map(nameReference), signal.column].join('.');
    case 'interval':
      return `days ${signal.from === undefined ? '' : `from ${signal.from} `}to ${[...pathOf(signal).map(nameReference), signal.column].join('.')}`;
    case 'rank':
      return `${signal.column} within ${nameReference(signal.within)}`;
    case 'reference':
      return `which ${nameReference(signal.column)}`;
  }
}

function nameFocus(focus: Focus): string[] {
  switch (focus.kind) {
    case 'root':
      return [];
    case 'all':
      return ['all'];
    case 'parent':
      return [...nameFocus(focus.of), nameReference(focus.reference)];
    case 'apart':
      return [...nameFocus(focus.of), nameReference(focus.reference), 'against', nameReference(focus.from)];
    case 'last':
    case 'recent':
      return [...nameFocus(focus.of), focus.kind, nameReference(focus.to), 'in', ...nameEvents(focus.events)];
  }
}

/** References are named, since one table may lead to the same focus in several roles. */
function nameEvents({ table, via, when }: Events): string[] {
  const named = table === labelsTable ? 'outcomes' : table;
  const told = via.filter((step) => step !== allTable && !(table === labelsTable && step === 'entity'));
  const condition = when ? ['where', ...when.path.map(nameReference), when.column, 'is', when.value] : [];
  return [...(told.length === 0 ? [named] : [named, 'by', ...told.map(nameReference)]), ...condition];
}

function nameReference(column: string): string {
  const pair = pairOf(column);
  if (pair) return pair.map(nameReference).join(' with ');
  return subjectOf(column).join(' ') || column;
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
