import { assert } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { subjectOf } from '../contract/names.ts';
import type { Signal } from '../events/signals.ts';
import {
  allTable,
  type Events,
  eventsKey,
  type Feature,
  type Focus,
  focusKey,
  labelsTable,
} from '../features/feature.ts';
import type { KnownTask } from './lineage.ts';
import { snake } from './names.ts';
import { isProtected, type ProtectedShape, protectedShapes } from './protected.ts';
import { type Language, openWording } from './wording.ts';

/** A factor that moved the answer by less than this share of all movement is not worth a sentence. */
export const factorShareMin = 0.02;

/** One reason for an answer: features of one meaning, told by the one of them that moved it most. */
type Factor = {
  /** Stable over versions and spans. */
  readonly code: string;
  readonly group: string;
  /** What the whole group added to the margin: log-odds, or the answer's unit. */
  readonly contribution: number;
  /** Of the told feature, in the row and in most training rows; null: missing. */
  readonly value: number | null;
  readonly usual: number | null;
  readonly text: string;
  /** Whether it made the answer better or worse, where the options say which way is worse. */
  readonly effect?: 'better' | 'worse';
  readonly path: Feature;
};

export type Factors = {
  /** Largest movement first. */
  readonly factors: readonly Factor[];
  /** Added by features that read protected or personal columns: they moved the answer and may not be worded. */
  readonly unworded: number;
  /** Added by what moved the answer too little, or came after the most. With the factors and `unworded`: the whole. */
  readonly others: number;
};

export type FactorOptions = KnownTask & {
  /** At most so many factors. */
  readonly most: number;
  readonly language: Language;
  readonly higherIsWorse?: boolean;
  readonly direction?: { readonly up: string; readonly down: string };
  readonly protectedShapes?: readonly ProtectedShape[];
};

/**
 * Tells the factors of one row: see `openFactors`. Feature f has the value at `first + f * step`: a row of its own as
 * it comes, or one of a column-major matrix.
 */
export type TellFactors = (contributions: Float64Array, values: Float32Array, first?: number, step?: number) => Factors;

/**
 * Prepares to tell why answers differ from the expected one, for many rows of one version. All arrays are parallel to
 * `features`; a row's `contributions` may end with the expected margin, which is left out. `usual`: training medians,
 * NaN where there is none.
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
  const { groups, groupOf } = listGroups(features, (feature) => isProtected(source, feature, shapes));
  const scratch = openSums(groups.length);
  // Few features ever lead; those that do lead many rows.
  const tellers: (TellFactor | undefined)[] = [];
  const tellerOf = (f: number): TellFactor =>
    (tellers[f] ??= openFactor(features[f], groups[groupOf[f]], usual[f], contract, options));
  return (contributions, values, first = 0, step = 1) => {
    assert(contributions.length === length || contributions.length === length + 1, 'one contribution per feature');
    assert(values.length > first + (length - 1) * step, 'one value per feature');
    const unworded = sumGroups(contributions, groupOf, scratch);
    const { sums, told, seen } = scratch;
    let movement = Math.abs(unworded);
    for (let k = 0; k < scratch.count; k++) movement += Math.abs(sums[seen[k]]);
    const factors: Factor[] = [];
    while (factors.length < options.most) {
      const group = takeLargest(scratch);
      if (group < 0 || sums[group] === 0 || !(Math.abs(sums[group]) >= movement * factorShareMin)) break;
      const f = told[group];
      const factor = tellerOf(f)(sums[group], values[first + f * step]);
      // Two paths may lead to the same rows; a reader is told once.
      if (factors.some(({ text }) => text === factor.text)) continue;
      factors.push(factor);
      sums[group] = 0;
    }
    let others = 0;
    for (let k = 0; k < scratch.count; k++) others += sums[seen[k]];
    return { factors, unworded, others };
  };
}

/** The groups of features, and each feature's place among them; -1 for those that may not be worded. */
function listGroups(features: readonly Feature[], isUnworded: (feature: Feature) => boolean) {
  const placeOf = new Map<string, number>();
  const groupOf = Int32Array.from(features, (feature) => {
    if (isUnworded(feature)) return -1;
    const group = factorGroup(feature);
    let place = placeOf.get(group);
    if (place === undefined) placeOf.set(group, (place = placeOf.size));
    return place;
  });
  return { groups: [...placeOf.keys()], groupOf };
}

/**
 * Of one row, per group: what its features added, and the one of them that moved the answer most (-1: none did). `seen`
 * lists the `count` groups that moved it, in order of their first feature that did; `left`: those not taken yet.
 */
type Sums = {
  readonly sums: Float64Array;
  readonly told: Int32Array;
  readonly seen: Int32Array;
  readonly left: Int32Array;
  count: number;
  leftCount: number;
};

function openSums(groups: number): Sums {
  const [told, seen, left] = [0, 1, 2].map(() => new Int32Array(groups));
  return { sums: new Float64Array(groups), told: told.fill(-1), seen, left, count: 0, leftCount: 0 };
}

/** Returns what features that may not be worded added. */
function sumGroups(contributions: Float64Array, groupOf: Int32Array, into: Sums): number {
  const { sums, told, seen, left } = into;
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
 * Takes the group that moved the answer most of those left, of equal ones that of the earlier told feature; -1: none.
 */
function takeLargest(of: Sums): number {
  const { sums, told, left } = of;
  if (of.leftCount === 0) return -1;
  let best = 0;
  for (let k = 1; k < of.leftCount; k++) {
    const more = Math.abs(sums[left[k]]) - Math.abs(sums[left[best]]);
    if (more > 0 || (more === 0 && told[left[k]] < told[left[best]])) best = k;
  }
  const group = left[best];
  left[best] = left[--of.leftCount];
  return group;
}

type TellFactor = (contribution: number, value: number) => Factor;

function openFactor(
  path: Feature,
  group: string,
  usual: number,
  contract: Contract,
  { language, entity, target, label, higherIsWorse, direction }: FactorOptions,
): TellFactor {
  const code = reasonCode(path);
  const word = openWording(path, contract, language, { entity, target, label });
  return (contribution, value) => {
    const text = word({ value, usual, contribution, ...(direction ? { direction } : {}) });
    const told = { code, group, contribution, value: orNull(value), usual: orNull(usual), text };
    if (higherIsWorse === undefined) return { ...told, path };
    return { ...told, effect: contribution > 0 === higherIsWorse ? 'worse' : 'better', path };
  };
}

/** The meaning a feature shares with its kin: the same focus, events and signal or column, over whatever span. */
export function factorGroup({ focus, read }: Feature): string {
  const events = 'events' in read ? eventsKey(read.events) : '';
  return [focusKey(focus), events, meaningOf(read)].filter((part) => part !== '').join(' ');
}

/** A short code for the meaning of a feature: lower snake case, the same for its kin and in every version. */
export function reasonCode({ focus, read }: Feature): string {
  const events = 'events' in read ? nameEvents(read.events) : [];
  return snake(...nameFocus(focus), ...events, meaningOf(read));
}

function meaningOf(read: Feature['read']): string {
  if ('signal' in read) return nameSignal(read.signal);
  if (read.kind === 'against') return `${read.column} against mean`;
  if (read.kind === 'same') return `same ${read.column}`;
  if ('column' in read) return read.column;
  // How long a row has existed is not how old a person is.
  return read.kind === 'age' ? 'tenure' : read.kind;
}

function nameSignal(signal: Signal): string {
  switch (signal.kind) {
    case 'column':
      return [...signal.path.map(nameReference), signal.column].join('.');
    case 'interval':
      return `days to ${signal.column}`;
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
    case 'last':
    case 'recent':
      return [...nameFocus(focus.of), focus.kind, nameReference(focus.to), 'in', ...nameEvents(focus.events)];
  }
}

/** The references are named, as one table may lead to the same focus in several roles. */
function nameEvents({ table, via, when }: Events): string[] {
  const named = table === labelsTable ? 'outcomes' : table;
  const told = via.filter((step) => step !== allTable && !(table === labelsTable && step === 'entity'));
  const condition = when ? ['where', ...when.path.map(nameReference), when.column, 'is', when.value] : [];
  return [...(told.length === 0 ? [named] : [named, 'by', ...told.map(nameReference)]), ...condition];
}

function nameReference(column: string): string {
  return subjectOf(column).join(' ') || column;
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
