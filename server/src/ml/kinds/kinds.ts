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

/** The kinds of prediction. docs/add-a-kind.md describes how to add one. */
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

/** Every kind, in the order in which messages list them. */
export const kinds: readonly (PredictionKind & { readonly name: KindName })[] = listed;

/** Throws Failure 'invalid' for an unknown kind, such as one from a later release. */
export function kindNamed(name: string): PredictionKind {
  const kind = kinds.find((known) => known.name === name);
  if (!kind)
    throw new Failure(
      'invalid',
      `there is no kind of prediction ${name}, but ${kinds.map((one) => one.name).join(', ')}`,
    );
  return kind;
}

/** The heads of a kind, the deciding one first; empty for kinds with a single output or one per horizon. */
export function headRulesOf(name: string): readonly HeadRule[] {
  const { learns } = kindNamed(name);
  return 'heads' in learns ? learns.heads : [];
}

/** The rule of one head of a kind. */
export function headRuleOf(name: string, head: string): HeadRule {
  const rule = headRulesOf(name).find((one) => one.name === head);
  assert(rule, `${head} is a head of ${name}`);
  return rule;
}

/** How a kind names its outputs by horizon; undefined when its outputs are not one event over growing horizons. */
export function horizonNamesOf(name: string): AnswerByHorizon['horizons'] | undefined {
  const { learns } = kindNamed(name);
  return 'horizons' in learns ? learns.horizons : undefined;
}

/** The objective of the deciding output. */
export function decidingObjective(name: string): ObjectiveKind {
  const { learns } = kindNamed(name);
  return 'heads' in learns ? learns.heads[0].objective : learns.objective;
}
