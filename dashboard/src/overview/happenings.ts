import type { Schemas } from '@lastro/sdk';

type Event = Schemas['Event'];

/** What is told: types of events. Of versions of the contract, the status says what happened. */
const kinds = [
  ...(['model-version-promotion', 'model-version-demotion', 'model-version-creation', 'model-deletion'] as const),
  'training-run-failure' as const,
  ...(['data-contract-version proposed', 'data-contract-version active', 'data-contract-version rejected'] as const),
  ...(['data-contract-deviation', 'object-damage', 'webhook-disablement', 'member-addition'] as const),
  ...(['usage-limit-warning', 'usage-limit-reached', 'invoice-issuance'] as const),
  ...(['gfm-version-release', 'rfm-version-creation'] as const),
];
type Kind = (typeof kinds)[number];

/** What happened once, or several times in a day: one line. */
export type Happening = {
  readonly kind: Kind;
  /** The newest of them. */
  readonly event: Event;
  readonly count: number;
  /** The models that it happened to, each once. */
  readonly models: readonly string[];
};

export const eventTypes = [...new Set(kinds.map((kind) => kind.split(' ')[0]))];

/**
 * Events, newest first, with those of one kind, alias and day as one. A proposal of a contract that is decided is told by
 * the decision.
 */
export function happeningsOf(events: readonly Event[], dayOf: (at: string) => string): readonly Happening[] {
  const found = new Map<string, Happening>();
  const decided = new Set<string>();
  for (const event of events) {
    const kind = kindOf(event);
    if (!kind || decided.has(event.resource_id)) continue;
    if (kind === 'data-contract-version active' || kind === 'data-contract-version rejected')
      decided.add(event.resource_id);
    const { model_id: model, alias } = event.data;
    const key = JSON.stringify([kind, alias, dayOf(event.created_at)]);
    const known = found.get(key) ?? { kind, event, count: 0, models: [] };
    const isNew = typeof model === 'string' && !known.models.includes(model);
    found.set(key, { ...known, count: known.count + 1, models: isNew ? [...known.models, model] : known.models });
  }
  return [...found.values()];
}

function kindOf({ type, data: { status } }: Event): Kind | undefined {
  return kinds.find((kind) => kind === type || kind === `${type} ${status}`);
}
