import { type Static, Type } from 'typebox';
import { refuse } from '../../errors.ts';
import { validatorOf } from '../../lib/http/validate.ts';
import { pricedMeters } from '../meters/meter.ts';
import { quotaResources } from '../meters/quota.ts';
import { readMicros } from './money.ts';

/** The plan of organizations for which the operator has named none. */
export const defaultPlan = 'default';
/** Most tiers of a price. */
const tiersMax = 20;
/** Most units that a price may be of, that a tier may reach to, and that a plan may allow in a month. */
const unitsMax = 1_000_000_000_000;
const requestsMax = 1_000_000_000;
/** The least and the most weight that a workspace may have in the queues. */
export const [weightMin, weightMax] = [0.01, 100];

const money = (description: string) => Type.String({ maxLength: 20, description });
const units = (description: string) => Type.Integer({ minimum: 1, maximum: unitsMax, description });
const optionals = <T extends ReturnType<typeof Type.Integer> | typeof priceSchema>(
  names: readonly string[],
  schema: T,
) => Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));

const priceSchema = Type.Object(
  {
    per: units('How many units the prices of the tiers are for.'),
    tiers: Type.Array(
      Type.Object(
        {
          up_to: Type.Union([units('The last unit of the month that is in the tier.'), Type.Null()], {
            description: 'Null in the last tier, which has no end.',
          }),
          price: money('In reais, for `per` units, with up to six decimals: 12.50. 0 where units are included.'),
        },
        { title: 'PriceTier', additionalProperties: false },
      ),
      { minItems: 1, maxItems: tiersMax },
    ),
  },
  { title: 'Price', additionalProperties: false },
);

/** A price plan, as the operator writes it and as callers are shown it. */
export const planDocumentSchema = Type.Object(
  {
    monthly_fee: money('In reais, with two decimals at most.'),
    prices: Type.Object(optionals(pricedMeters, priceSchema), {
      description: 'By meter; a meter that has none costs nothing.',
      additionalProperties: false,
    }),
    quotas: Type.Optional(
      Type.Object(optionals(quotaResources, Type.Integer({ minimum: 0, maximum: unitsMax })), {
        description:
          'By resource: how much the organization may use in a calendar month, have at once, or ask for in a second, unless the operator has set a quota.',
        additionalProperties: false,
      }),
    ),
    rate_limits: Type.Optional(
      Type.Object(
        {
          real_time: Type.Optional(Type.Integer({ minimum: 1, maximum: requestsMax })),
          other: Type.Optional(Type.Integer({ minimum: 1, maximum: requestsMax })),
        },
        {
          description: 'Requests of one workspace to one process in a minute, instead of those of the installation.',
          additionalProperties: false,
        },
      ),
    ),
    weight: Type.Optional(
      Type.Number({
        ...{ minimum: weightMin, maximum: weightMax },
        description:
          'How many times the time of one of weight 1 each workspace gets for its ingestions, trainings and batches, unless the operator has weighed it. 1 by default.',
      }),
    ),
  },
  { title: 'PlanDocument', additionalProperties: false },
);

type Price = {
  readonly per: number;
  readonly tiers: readonly { readonly up_to: number | null; readonly price: string }[];
};
export type PlanDocument = Omit<Static<typeof planDocumentSchema>, 'prices' | 'quotas'> & {
  readonly prices: Readonly<Partial<Record<string, Price>>>;
  readonly quotas?: Readonly<Partial<Record<string, number>>>;
};

export type PricePlan = { readonly name: string; readonly version: number; readonly document: PlanDocument };

const check = validatorOf(planDocumentSchema, 'body');

/** Reads a price plan that the operator wrote as JSON. Throws Failure 'invalid' that says what is wrong and where. */
export function readPlan(text: string): PlanDocument {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw refuse('invalid', 'the price plan is no JSON', { cause: error });
  }
  const found = check(said);
  if ('error' in found) throw refuse('invalid', `the price plan cannot be used: ${found.error.message}`);
  const plan = found.value as PlanDocument;
  const fault = faultOf(plan);
  if (fault !== null) throw refuse('invalid', `the price plan cannot be used: ${fault}`);
  return plan;
}

function faultOf({ monthly_fee, prices }: PlanDocument): string | null {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(monthly_fee)) return '/monthly_fee must be an amount such as 499.00';
  for (const [meter, { tiers }] of Object.entries(prices as Readonly<Record<string, Price>>))
    for (const [at, { up_to, price }] of tiers.entries()) {
      const place = `/prices/${meter}/tiers/${at}`;
      if (readMicros(price) === null) return `${place}/price must be an amount such as 12.50, of up to six decimals`;
      const isLast = at === tiers.length - 1;
      if (isLast !== (up_to === null)) return `${place}/up_to must be null in the last tier, and a number before it`;
      if (at > 0 && up_to !== null && up_to <= tiers[at - 1].up_to!)
        return `${place}/up_to must be more than that of the tier before`;
    }
  return null;
}
