import type { AnchorLayout, Delinquency, FutureRows, TaskKind } from './target.ts';

/** The kinds of task there are, as a task that cannot be read is told them. */
export const taskKinds: readonly TaskKind[] = [
  'binary',
  'regression',
  'multiclass',
  'credit',
  'fraud',
  'lead_scoring',
  'field_sales',
  'paid_media',
];

/** The target without what later clauses add. */
export type Asked = Omit<FutureRows, 'horizonsDays'> | Omit<Delinquency, 'horizonsDays'>;

/** What is asked of rows or loans decides what kind of task it is; of credit it is a choice. */
export function kindOf(asked: Asked): TaskKind {
  if (asked.kind === 'delinquency' || asked.than || asked.aggregate === 'exists') return 'binary';
  return typeof asked.aggregate === 'object' && 'next' in asked.aggregate ? 'multiclass' : 'regression';
}

/** What in a question does not go together, and which part says so; null when all does. */
export function questionProblem(
  asked: Asked,
  horizonsDays: readonly number[] | undefined,
  anchors: AnchorLayout | undefined,
  given: TaskKind | undefined,
): { of: 'kind' | 'anchors' | 'horizons'; message: string } | null {
  const natural = kindOf(asked);
  if (given && given !== natural && !(given === 'credit' && natural === 'binary'))
    return {
      of: 'kind',
      message: `what is predicted makes a ${natural} task, not a ${given} one${natural === 'regression' && given !== 'multiclass' ? '; compare it, as in count(…) > 0' : ''}`,
    };
  if (asked.kind === 'rows' && !horizonsDays)
    return { of: 'horizons', message: 'expected WITHIN and the days to look ahead, such as WITHIN 30d' };
  if (natural === 'multiclass' && horizonsDays!.length > 1)
    return { of: 'horizons', message: 'the next category is predicted within one horizon, not several' };
  if (asked.kind === 'delinquency') {
    const { rule } = asked;
    if (!horizonsDays && anchors?.everyDays !== undefined)
      return {
        of: 'anchors',
        message: 'a delinquency without WITHIN is asked once, on the day the loan opens: leave EVERY out',
      };
    if (!horizonsDays && rule.kind === 'charge_off' && rule.month === undefined)
      return { of: 'horizons', message: 'expected by month, as in charge_off(…) by month 24, or WITHIN' };
    if (!horizonsDays && given === 'credit')
      return {
        of: 'horizons',
        message: 'credit gives probabilities for horizons: expected WITHIN, such as WITHIN 90d, 365d',
      };
  }
  if (anchors?.isOnce && anchors.everyDays !== undefined)
    return { of: 'anchors', message: 'EVERY and ONCE exclude each other' };
  return null;
}
