import { assert, Failure } from '../../lib/failure.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import { binary } from './binary.ts';
import { credit } from './credit.ts';
import { fieldSales } from './field-sales.ts';
import { fraud } from './fraud.ts';
import type { AnswerByHorizon, HeadRule, PredictionKind } from './kind.ts';
import { leadScoring } from './lead-scoring.ts';
import { multiclass } from './multiclass.ts';
import { paidMedia } from './paid-media.ts';
import { regression } from './regression.ts';

/** The kinds of prediction there are: docs/add-a-kind.md adds one. */
const listed = [
  binary,
  regression,
  multiclass,
  credit,
  fraud,
  leadScoring,
  fieldSales,
  paidMedia,
] as const satisfies readonly PredictionKind[];

export type KindName = (typeof listed)[number]['name'];

/** Every kind, in the order that tasks which name none of them are told. */
export const kinds: readonly (PredictionKind & { readonly name: KindName })[] = listed;

/** Throws Failure 'invalid' of a kind that a later release may have. */
export function kindNamed(name: string): PredictionKind {
  const kind = kinds.find((known) => known.name === name);
  if (!kind)
    throw new Failure(
      'invalid',
      `there is no kind of prediction ${name}, but ${kinds.map((one) => one.name).join(', ')}`,
    );
  return kind;
}

/** The heads of a kind, the one that decides first; none of kinds that have a single answer, or one by horizon. */
export function headRulesOf(name: string): readonly HeadRule[] {
  const { learns } = kindNamed(name);
  return 'heads' in learns ? learns.heads : [];
}

/** What a kind says of one of its heads. */
export function headRuleOf(name: string, head: string): HeadRule {
  const rule = headRulesOf(name).find((one) => one.name === head);
  assert(rule, `${head} is a head of ${name}`);
  return rule;
}

/** How a kind names outputs by horizon; undefined where its outputs are not one event by growing horizons. */
export function horizonNamesOf(name: string): AnswerByHorizon['horizons'] | undefined {
  const { learns } = kindNamed(name);
  return 'horizons' in learns ? learns.horizons : undefined;
}

/** What the output that decides is learned as. */
export function decidingObjective(name: string): ObjectiveKind {
  const { learns } = kindNamed(name);
  return 'heads' in learns ? learns.heads[0].objective : learns.objective;
}
