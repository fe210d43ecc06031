import { horizonNamesOf, type KindName, kindNamed } from '../kinds/kinds.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import type { Mistake } from './mistakes.ts';
import type { AnchorLayout, Delinquency, FutureRows } from './target.ts';

/** The target without what later clauses of the query add. */
export type AskedTarget = Omit<FutureRows, 'horizonsDays'> | Omit<Delinquency, 'horizonsDays'>;

/** The objective that follows from what is asked of rows or loans; also the kind of a task that names none. */
export function kindOf(asked: AskedTarget): ObjectiveKind {
  if (asked.kind === 'delinquency' || asked.than || asked.aggregate === 'exists') return 'binary';
  return typeof asked.aggregate === 'object' && 'next' in asked.aggregate ? 'multiclass' : 'regression';
}

/** What does not fit together in a question, and which part is to blame; null when everything fits. */
export function questionProblem(
  asked: AskedTarget,
  horizonsDays: readonly number[] | undefined,
  anchors: AnchorLayout | undefined,
  given: KindName | undefined,
): { of: 'kind' | 'anchors' | 'horizons'; mistake: Mistake | string } | null {
  const natural = kindOf(asked);
  if (given && !answersOne(given, natural))
    return {
      of: 'kind',
      mistake: { code: 'other_kind', natural, given, isCompared: natural === 'regression' && given !== 'multiclass' },
    };
  if (asked.kind === 'rows' && !horizonsDays) return { of: 'horizons', mistake: { code: 'without_horizon' } };
  if (natural === 'multiclass' && horizonsDays!.length > 1)
    return { of: 'horizons', mistake: 'the next category is predicted within one horizon, not several' };
  if (asked.kind === 'delinquency') {
    const { rule } = asked;
    if (!horizonsDays && anchors?.everyDays !== undefined)
      return {
        of: 'anchors',
        mistake: 'a delinquency without WITHIN is asked once, on the day the loan opens: leave EVERY out',
      };
    if (!horizonsDays && rule.kind === 'charge_off' && rule.month === undefined)
      return { of: 'horizons', mistake: 'expected by month, as in charge_off(…) by month 24, or WITHIN' };
    if (!horizonsDays && given && horizonNamesOf(given))
      return {
        of: 'horizons',
        mistake: `${given} gives probabilities for horizons: expected WITHIN, such as WITHIN 90d, 365d`,
      };
  }
  if (anchors?.isOnce && anchors.everyDays !== undefined) return { of: 'anchors', mistake: { code: 'every_and_once' } };
  return null;
}

/** Whether a kind has a single output with this objective. */
function answersOne(kind: KindName, objective: ObjectiveKind): boolean {
  const { learns } = kindNamed(kind);
  return !('heads' in learns) && learns.objective === objective;
}
