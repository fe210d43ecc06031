import { assert } from '../../../lib/failure.ts';
import type { EntityKind } from '../../contract/contract.ts';
import type { Random } from '../../statistics/random.ts';

/** Days are whole days since 1970-01-01. */
export type EconomyOptions = {
  readonly companies: number;
  readonly seed: number;
  readonly from: number;
  readonly until: number;
};

/** An entity of the graph. All are fictitious. */
export type EconomyEntity = {
  readonly id: string;
  readonly kind: EntityKind;
  /** Day it was founded, born or first seen. */
  readonly since: number;
  readonly sector?: string;
  readonly state?: string;
  readonly size?: number;
};

/**
 * `subject relation object` from one day to another. `to` is NaN while it goes on, and equal to `from` for a record.
 */
export type EconomyFact = {
  readonly subject: number;
  readonly relation: Relation;
  readonly object: number;
  readonly from: number;
  to: number;
  readonly weight: number;
};

export const relations = ['owns', 'directs', 'supplies', 'employs', 'located_at', 'uses_device', 'guarantees'] as const;
/** Entries in public registers; each is on one day. */
export const records = ['has_protest', 'has_lawsuit', 'has_insolvency', 'has_fraud'] as const;
export type Relation = (typeof relations)[number] | (typeof records)[number];

export function isRecord(relation: Relation): boolean {
  return records.some((record) => record === relation);
}

export type Payment = {
  readonly company: number;
  readonly due: number;
  readonly paid: number;
  readonly amount: number;
};

/**
 * A planted group of companies that trade with each other, share devices, addresses and directors, and then stop
 * paying.
 */
export type Ring = {
  readonly members: readonly number[];
  readonly since: number;
  /** When the first member stops paying and is recorded for fraud. */
  readonly burstAt: number;
  /** The link from each member to the next: both have a fact of this relation with `via`. */
  readonly path: readonly {
    readonly from: number;
    readonly to: number;
    readonly via: number;
    readonly relation: Relation;
  }[];
};

/** An economy while it is drawn. Entities 0 … companies − 1 are the companies. */
export type Draft = EconomyOptions & {
  readonly random: Random;
  readonly months: number;
  readonly entities: EconomyEntity[];
  readonly facts: EconomyFact[];
  /** Latent variables: lasting weakness, whether payments are few, and the community a company trades in. */
  readonly frailty: Float64Array;
  readonly isThin: Uint8Array;
  readonly community: Int32Array;
  readonly rings: Ring[];
  /** The day a ring's member stops paying; NaN for other companies. */
  readonly burstAt: Float64Array;
};

export type Economy = Omit<Draft, 'random'> & {
  readonly payments: readonly Payment[];
  /** The day of default; NaN without one. */
  readonly defaultedAt: Float64Array;
  /** Stress x of company c in month m at `c * months + m`, and its probability of default in that month. */
  readonly stress: Float32Array;
  readonly hazard: Float32Array;
};

export const daysPerMonth = 30;
export const sectors = [
  'agriculture',
  'mining',
  'energy',
  'materials',
  'parts',
  'machines',
  'construction',
  'wholesale',
  'retail',
  'services',
] as const;
export const states = ['BA', 'CE', 'MG', 'PE', 'PR', 'RJ', 'RS', 'SP'] as const;

const letters: Readonly<Record<EntityKind, string>> = {
  company: 'C',
  individual: 'P',
  asset: 'A',
  event: 'E',
  other: 'R',
};

/** `SYN-C0000001`: every identifier is marked as synthetic. */
export function entityId(kind: EntityKind, number: number): string {
  return `SYN-${letters[kind]}${String(number + 1).padStart(7, '0')}`;
}

/** Adds an entity and returns its number. */
export function addEntity(draft: Draft, entity: Omit<EconomyEntity, 'id'>, id?: string): number {
  assert(entity.kind !== 'company', 'companies are drawn first');
  draft.entities.push({ ...entity, id: id ?? entityId(entity.kind, draft.entities.length) });
  return draft.entities.length - 1;
}
