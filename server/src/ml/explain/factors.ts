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

export type FactorOptions = {
  /** At most so many factors. */
  readonly most: number;
  readonly language: Language;
  /** The table the task asks about. */
  readonly entity?: string;
  readonly higherIsWorse?: boolean;
  readonly direction?: { readonly up: string; readonly down: string };
  readonly protectedShapes?: readonly ProtectedShape[];
};

/** Tells the factors of one row: see `openFactors`. */
export type TellFactors = (contributions: Float64Array, values: Float32Array) => Factors;

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
  const keys = features.map(factorGroup);
  const isUnworded = features.map((feature) => isProtected(source, feature, shapes));
  // Few features ever lead; those that do lead many rows.
  const wordings = new Map<number, Wording>();
  const wordingOf = (f: number): Wording => {
    let wording = wordings.get(f);
    if (!wording) {
      wording = {
        code: reasonCode(features[f]),
        word: openWording(features[f], contract, options.language, options.entity),
      };
      wordings.set(f, wording);
    }
    return wording;
  };
  return (contributions, values) => {
    assert(contributions.length === length || contributions.length === length + 1, 'one contribution per feature');
    assert(values.length === length, 'one value per feature');
    const { unworded, groups } = sumGroups(contributions, keys, isUnworded);
    let movement = Math.abs(unworded);
    for (const { sum } of groups.values()) movement += Math.abs(sum);
    const ordered = [...groups.values()].sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum) || a.told - b.told);
    const factors: Factor[] = [];
    let others = 0;
    for (const { sum, told } of ordered) {
      const isLarge = sum !== 0 && Math.abs(sum) >= movement * factorShareMin && factors.length < options.most;
      const factor = isLarge
        ? tellFactor(features[told], keys[told], sum, values[told], usual[told], wordingOf(told), options)
        : null;
      // Two paths may lead to the same rows; a reader is told once.
      if (factor && !factors.some(({ text }) => text === factor.text)) factors.push(factor);
      else others += sum;
    }
    return { factors, unworded, others };
  };
}

/** The factors of one row; for many rows of a version `openFactors` does the looking up once. */
export function topFactors(
  contributions: Float64Array,
  values: Float32Array,
  usual: ArrayLike<number>,
  features: readonly Feature[],
  contract: Contract,
  options: FactorOptions,
): Factors {
  return openFactors(usual, features, contract, options)(contributions, values);
}

type Wording = { readonly code: string; readonly word: ReturnType<typeof openWording> };

/** `told`: the feature that moved the answer most in its group. */
type Group = { sum: number; told: number };

function sumGroups(contributions: Float64Array, keys: readonly string[], isUnworded: readonly boolean[]) {
  const groups = new Map<string, Group>();
  let unworded = 0;
  for (let f = 0; f < keys.length; f++) {
    if (contributions[f] === 0) continue;
    if (isUnworded[f]) {
      unworded += contributions[f];
      continue;
    }
    const group = groups.get(keys[f]);
    if (!group) {
      groups.set(keys[f], { sum: contributions[f], told: f });
      continue;
    }
    group.sum += contributions[f];
    if (Math.abs(contributions[f]) > Math.abs(contributions[group.told])) group.told = f;
  }
  return { unworded, groups };
}

function tellFactor(
  feature: Feature,
  group: string,
  contribution: number,
  value: number,
  usual: number,
  { code, word }: Wording,
  { higherIsWorse, direction }: FactorOptions,
): Factor {
  return {
    code,
    group,
    contribution,
    value: orNull(value),
    usual: orNull(usual),
    text: word({ value, usual, contribution, ...(direction ? { direction } : {}) }),
    ...(higherIsWorse === undefined ? {} : { effect: contribution > 0 === higherIsWorse ? 'worse' : 'better' }),
    path: feature,
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
function nameEvents({ table, via }: Events): string[] {
  const named = table === labelsTable ? 'outcomes' : table;
  const told = via.filter((step) => step !== allTable && !(table === labelsTable && step === 'entity'));
  return told.length === 0 ? [named] : [named, 'by', ...told.map(nameReference)];
}

function nameReference(column: string): string {
  return subjectOf(column).join(' ') || column;
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
