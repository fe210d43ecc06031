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

/** Somebody or something in the graph. Nobody here exists. */
export type EconomyEntity = {
  readonly id: string;
  readonly kind: EntityKind;
  /** Founded, born or first seen. */
  readonly since: number;
  readonly sector?: string;
  readonly state?: string;
  readonly size?: number;
};

/** `subject relation object` from a day to another (missing while it goes on; the same day for what just happens). */
export type EconomyFact = {
  readonly subject: number;
  readonly relation: Relation;
  readonly object: number;
  readonly from: number;
  to: number;
  readonly weight: number;
};

export const relations = ['owns', 'directs', 'supplies', 'employs', 'located_at', 'uses_device', 'guarantees'] as const;
/** Entries in public registers: they happen on a day. */
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

/** A planted group that trades with itself over shared devices, addresses and directors, and then stops paying. */
export type Ring = {
  readonly members: readonly number[];
  readonly since: number;
  /** When the first member stops paying; it is recorded for fraud then. */
  readonly burstAt: number;
  /** How each member hangs on the next: both have a fact of this relation with `via`. */
  readonly path: readonly {
    readonly from: number;
    readonly to: number;
    readonly via: number;
    readonly relation: Relation;
  }[];
};

/** An economy while it is drawn: entities 0 … companies − 1 are the companies. */
export type Draft = EconomyOptions & {
  readonly random: Random;
  readonly months: number;
  readonly entities: EconomyEntity[];
  readonly facts: EconomyFact[];
  /** Latent: lasting weakness, whether payments are few, and the neighbourhood a company trades in. */
  readonly frailty: Float64Array;
  readonly isThin: Uint8Array;
  readonly community: Int32Array;
  readonly rings: Ring[];
  /** The day a ring makes its member stop paying; missing for others. */
  readonly burstAt: Float64Array;
};

export type Economy = Omit<Draft, 'random'> & {
  readonly payments: readonly Payment[];
  /** The day of default, missing without one. */
  readonly defaultedAt: Float64Array;
  /** Stress x of company c in month m at `c * months + m`, and the chance that it defaults in that month. */
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

/** `SYN-C0000001`: the mark of what is made up stands on every identifier. */
export function entityId(kind: EntityKind, number: number): string {
  return `SYN-${letters[kind]}${String(number + 1).padStart(7, '0')}`;
}

/** Adds an entity and returns its number. */
export function addEntity(draft: Draft, entity: Omit<EconomyEntity, 'id'>, id?: string): number {
  assert(entity.kind !== 'company', 'companies are drawn first');
  draft.entities.push({ ...entity, id: id ?? entityId(entity.kind, draft.entities.length) });
  return draft.entities.length - 1;
}
