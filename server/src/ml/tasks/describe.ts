import { type DelinquencyRule, horizonsOf, type Target, textOfDays } from './target.ts';

/** The meaning of a target's output number `horizon`, in English, as the text after "Probability of" or "Expected". */
export function describeTarget(target: Target, horizon: number): string {
  const within = `within ${textOfDays(horizonsOf(target)[horizon]).replace(/d$/, ' days').replace(/h$/, ' hours')}`;
  if (target.kind === 'delinquency') {
    const what = describeRule(target.rule);
    return target.horizonsDays ? `${what} of a row of ${target.table} ${within}` : what;
  }
  const { table, aggregate, than, overdue, where } = target;
  const rows = `${table} rows${overdue ? ` ${overdue.days} days overdue` : ''}${where ? ' that meet the condition' : ''}`;
  if (aggregate === 'exists') return `any ${rows} ${within}`;
  if (aggregate === 'first')
    return `days until the first of ${rows}, at most ${textOfDays(horizonsOf(target)[horizon])}`;
  if (typeof aggregate === 'object' && 'next' in aggregate) return `the next ${table}.${aggregate.next} ${within}`;
  const amount = aggregate === 'count' ? `number of ${rows} ${within}` : `sum of ${table}.${aggregate.sum} ${within}`;
  return than ? `the ${amount} being ${than.is} ${than.value}` : amount;
}

function describeRule(rule: DelinquencyRule): string {
  if (rule.kind === 'first_payment_default') return `the first payment being ${rule.days} days late`;
  if (rule.kind === 'days_past_due') return `being ${rule.days} days past due at month ${rule.month} on book`;
  const how = 'column' in rule.by ? 'a charge-off' : `being ${rule.by.days} days past due`;
  return rule.month === undefined ? how : `${how} by month ${rule.month} on book`;
}
