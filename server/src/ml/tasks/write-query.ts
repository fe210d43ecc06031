import type { Condition, RowsOf, Value } from './condition.ts';
import { kindOf } from './question.ts';
import { type DelinquencyRule, type FutureRows, type Payment, type Question, textOfDay, textOfDays } from './target.ts';
import { writeName } from './tokens.ts';

/** Writes a question as one line in canonical spelling. `parseQuery` reads it back as the same question. */
export function writeQuery({ entity, kind, target, population, anchors }: Question): string {
  const clauses = [`PREDICT ${writeTarget(target)}`];
  if (target.horizonsDays) clauses.push(`WITHIN ${target.horizonsDays.map(textOfDays).join(', ')}`);
  clauses.push(`FOR ${writeName(entity)}`);
  if (population) clauses.push(`WHERE ${writeCondition(population)}`);
  if (target.reference && target.reference.length > 0) clauses.push(writeVia(target.reference));
  if (anchors?.everyDays !== undefined) clauses.push(`EVERY ${textOfDays(anchors.everyDays)}`);
  if (anchors?.isOnce) clauses.push('ONCE');
  if (anchors?.from !== undefined) clauses.push(`FROM ${textOfDay(anchors.from)}`);
  if (anchors?.until !== undefined) clauses.push(`UNTIL ${textOfDay(anchors.until)}`);
  if (kind !== kindOf(target)) clauses.push(`AS ${kind}`);
  return clauses.join(' ');
}

function writeTarget(target: Question['target']): string {
  if (target.kind === 'rows') return writeRows(target);
  const { table, opened, rule, obligations } = target;
  const parts = [`${writeName(table)}${opened === undefined ? '' : `(${writeName(opened)})`}`, writeRule(rule)];
  if (obligations) {
    const { table, reference } = obligations;
    parts.push(`${writeName(table)}${writePayment(obligations)}${reference ? ` ${writeVia(reference)}` : ''}`);
  }
  return `delinquency(${parts.join(', ')})`;
}

function writeRows({ table, aggregate, overdue, where, than }: FutureRows): string {
  const name = typeof aggregate === 'string' ? aggregate : 'sum' in aggregate ? 'sum' : 'next';
  const column =
    typeof aggregate === 'string' ? '' : `.${writeName('sum' in aggregate ? aggregate.sum : aggregate.next)}`;
  const late = overdue ? ` OVERDUE ${overdue.days}d ${writePayment(overdue)}` : '';
  const only = where ? ` WHERE ${writeCondition(where)}` : '';
  return `${name}(${writeName(table)}${column}${late}${only})${than ? ` ${than.is} ${than.value}` : ''}`;
}

function writePayment({ due, paid, amounts, payments }: Payment): string {
  const own = (column: string) => `${payments ? `${writeName(payments.table)}.` : ''}${writeName(column)}`;
  const columns = [writeName(due), own(paid), ...(amounts ? [writeName(amounts.due), own(amounts.paid)] : [])];
  return `(${columns.join(', ')}${payments?.reference ? ` ${writeVia(payments.reference)}` : ''})`;
}

function writeRule(rule: DelinquencyRule): string {
  if (rule.kind === 'first_payment_default') return `first_payment_default ${rule.days} days`;
  if (rule.kind === 'days_past_due') return `${rule.days} days at month ${rule.month}`;
  const by = 'column' in rule.by ? `(${writeName(rule.by.column)})` : ` ${rule.by.days} days`;
  return `charge_off${by}${rule.month === undefined ? '' : ` by month ${rule.month}`}`;
}

/** Writes a condition in the form that `parseCondition` reads. */
export function writeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
      return condition.of.map((part) => inBrackets(part, ['and', 'or'])).join(' AND ');
    case 'or':
      return condition.of.map((part) => inBrackets(part, ['or'])).join(' OR ');
    case 'not': {
      const { of } = condition;
      if (of.kind === 'missing') return `${writeName(of.column)} IS NOT NULL`;
      if (of.kind === 'in') return `${writeName(of.column)} NOT ${writeIn(of.values)}`;
      return `NOT ${inBrackets(of, ['and', 'or'])}`;
    }
    case 'missing':
      return `${writeName(condition.column)} IS NULL`;
    case 'in':
      return `${writeName(condition.column)} ${writeIn(condition.values)}`;
    case 'compare':
      return `${writeName(condition.column)} ${condition.is} ${writeValue(condition.value)}`;
    case 'past': {
      const { rows, days, than } = condition;
      const last = days === undefined ? '' : ` IN LAST ${textOfDays(days)}`;
      return `${than ? 'count' : 'exists'}(${writePastRows(rows)}${last})${than ? ` ${than.is} ${than.value}` : ''}`;
    }
  }
}

function inBrackets(part: Condition, kinds: readonly Condition['kind'][]): string {
  return kinds.includes(part.kind) ? `(${writeCondition(part)})` : writeCondition(part);
}

function writeIn(values: readonly Value[]): string {
  return `IN (${values.map(writeValue).join(', ')})`;
}

function writePastRows({ table, reference, where }: RowsOf): string {
  const via = reference && reference.length > 0 ? ` ${writeVia(reference)}` : '';
  return `${writeName(table)}${via}${where ? ` WHERE ${writeCondition(where)}` : ''}`;
}

function writeVia(path: readonly string[]): string {
  return `VIA ${path.map(writeName).join('.')}`;
}

function writeValue(value: Value): string {
  if (typeof value === 'object') return textOfDay(value.moment);
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
