import type { Contract } from '../contract/contract.ts';
import { decidingObjective, headRuleOf, kindNamed } from '../kinds/kinds.ts';
import type { Condition, RowsOf, Value } from '../tasks/condition.ts';
import { outputNameOf } from '../tasks/output-name.ts';
import { type Delinquency, type FutureRows, horizonsOf, type Target, textOfDay } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';
import type { LineageSource } from './lineage.ts';
import { formatNumber, quoteText } from './measure.ts';
import { nameOf, nameTable } from './name-columns.ts';
import { nameEvents } from './name-feature.ts';
import { columnName } from './names.ts';
import type { Phrases } from './phrases.ts';
import { englishQuestion } from './question-en.ts';
import type { AskedDelinquency, AskedRows, AskedValue, QuestionPhrases } from './question-phrases.ts';
import { portugueseQuestion } from './question-pt.ts';
import type { Language } from './wording.ts';
import { english } from './wording-en.ts';
import { portuguese } from './wording-pt.ts';

/** A question in words. `outputs`: what each number of an answer says, by the name of its field. */
export type SaidQuestion = {
  readonly sentence: string;
  readonly outputs: readonly { readonly name: string; readonly meaning: string }[];
};

type Scope = { readonly source: LineageSource; readonly phrases: Phrases; readonly say: QuestionPhrases };

const languages = {
  en: { phrases: english, say: englishQuestion },
  'pt-BR': { phrases: portuguese, say: portugueseQuestion },
} satisfies Record<Language, Omit<Scope, 'source'>>;

/**
 * Says in one plain sentence what a task asks, whom about and how far ahead, in the words that reasons have for tables
 * and columns. Without tables in the contract they are those of the task itself.
 */
export function sayQuestion(task: Task, contract: Contract, language: Language): SaidQuestion {
  const { entity, target, population } = task;
  const source: LineageSource = { entity, kind: task.kind, target, contract };
  const scope: Scope = { source, ...languages[language] };
  const { phrases, say } = scope;
  const on = !target?.horizonsDays && target ? 'opening' : task.anchors?.isOnce ? 'own_day' : 'any_day';
  const having = population ? say.having(sayCondition(scope, entity, population)) : '';
  const each = say.each(nameTable(source, entity, phrases).one, having, on);
  const told = task.heads ? sayHeads(scope, task) : target ? sayHorizons(scope, task, target) : sayLabel(scope, task);
  const { score } = kindNamed(task.kind);
  if (!score) return { sentence: `${each}: ${told.sentence}.`, outputs: told.outputs };
  const days = say.days(Math.max(...(target ? horizonsOf(target) : windowOf(task))));
  return {
    sentence: `${each}: ${told.sentence}. ${say.scoreMade(days)}.`,
    outputs: [{ name: score.field, meaning: say.score(days) }, ...told.outputs],
  };
}

/** Says a condition on whom a task is about, in the words of its question and each language: `size of at least 600`. */
export function sayPopulation(
  { entity, kind, target }: Task,
  contract: Contract,
  condition: Condition,
): Readonly<Record<Language, string>> {
  const source: LineageSource = { entity, kind, target, contract };
  const said = (language: Language) => sayCondition({ source, ...languages[language] }, entity, condition);
  return { en: said('en'), 'pt-BR': said('pt-BR') };
}

function sayHeads(scope: Scope, task: Task): SaidQuestion {
  const outputs = task.heads!.map((head) => {
    const rule = headRuleOf(task.kind, head.name);
    const days = head.target ? horizonsOf(head.target) : windowOf(task);
    const within = scope.say.within(days);
    const meaning = !head.target
      ? scope.say.label(head.kind, columnName(head.label), within)
      : rule.objective === 'multiclass'
        ? scope.say.growth(sayTarget(scope, head.target, ''), scope.say.days(days[0]))
        : sayTarget(scope, head.target, within);
    return { name: rule.bounds ?? head.name, meaning };
  });
  return { sentence: outputs.map(({ meaning }) => meaning).join('; '), outputs };
}

function sayHorizons(scope: Scope, task: Task, target: Target): SaidQuestion {
  const { say } = scope;
  const horizons = horizonsOf(target);
  // A delinquency without a window is decided on a day of its own.
  const saidOf = (days: readonly number[]) =>
    target.horizonsDays
      ? sayTarget(scope, { ...target, horizonsDays: days }, say.within(days))
      : sayTarget(scope, target, '');
  return {
    sentence: `${saidOf(horizons)}${horizons.length > 1 ? say.oneForEach : ''}`,
    outputs: horizons.map((days) => ({
      name: outputNameOf(task.kind, days, horizons.length),
      meaning: saidOf([days]),
    })),
  };
}

function sayLabel({ say }: Scope, task: Task): SaidQuestion {
  const days = windowOf(task);
  const meaning = say.label(
    decidingObjective(task.kind),
    columnName(task.label),
    days.length > 0 ? say.within(days) : '',
  );
  return { sentence: meaning, outputs: [{ name: outputNameOf(task.kind, days[0], 1), meaning }] };
}

function windowOf({ windowDays }: Task): readonly number[] {
  return windowDays === undefined ? [] : [windowDays];
}

function sayTarget(scope: Scope, target: Target, within: string): string {
  if (target.kind === 'delinquency') return sayDelinquency(scope, target, within);
  const { source, phrases, say } = scope;
  const { table, aggregate, than } = target;
  const rows = nameRows(scope, target, target.overdue ? say.overdue(target.overdue.days) : '');
  if (aggregate === 'exists') return say.chanceOfRows('>=', 1, rows, within);
  if (aggregate === 'first') return say.first(rows, daysOf(scope, target));
  if (aggregate === 'count')
    return than ? say.chanceOfRows(than.is, than.value, rows, within) : say.count(rows, within);
  const column = nameOf(source, table, 'sum' in aggregate ? aggregate.sum : aggregate.next, phrases);
  if ('next' in aggregate) return say.next(column, rows, within);
  const total = say.total(column, rows, within);
  return than ? say.chanceThat(total, than.is, writeNumber(than.value, phrases)) : total;
}

/** The spans within which the first row may come: `60 days`. */
function daysOf({ say }: Scope, { horizonsDays }: FutureRows): string {
  return horizonsDays.map((days) => say.days(days)).join(', ');
}

function sayDelinquency(scope: Scope, target: Delinquency, within: string): string {
  const { source, phrases, say } = scope;
  const loan = target.table === source.entity ? null : nameRows(scope, target);
  const { rule, obligations } = target;
  // Without a table of obligations only a date column tells, which names none.
  const due = obligations ? nameRows(scope, obligations) : { one: '', many: '', role: undefined, having: '' };
  const how: AskedDelinquency =
    rule.kind !== 'charge_off'
      ? { ...rule, due }
      : {
          kind: 'charge_off',
          by:
            'column' in rule.by
              ? { column: nameOf(source, target.table, rule.by.column, phrases) }
              : { ...rule.by, due },
          month: rule.month,
        };
  return say.delinquency(how, loan, within);
}

function nameRows(scope: Scope, { table, reference, where }: RowsOf, late = ''): AskedRows {
  const { source, phrases, say } = scope;
  const { one, many, role } = nameEvents(source, { table, via: reference ?? [] }, phrases);
  return { one, many, role, having: `${late}${where ? say.having(sayCondition(scope, table, where)) : ''}` };
}

function sayCondition(scope: Scope, table: string, condition: Condition): string {
  const { source, phrases, say } = scope;
  const named = (column: string) => nameOf(source, table, column, phrases);
  switch (condition.kind) {
    case 'and':
      return say.and(condition.of.map((part) => inBrackets(part, ['and', 'or'], sayCondition(scope, table, part))));
    case 'or':
      return say.or(condition.of.map((part) => inBrackets(part, ['and', 'or'], sayCondition(scope, table, part))));
    case 'not':
      return sayNot(scope, table, condition.of);
    case 'missing':
      return say.missing(named(condition.column), false);
    case 'in':
      return say.oneOf(
        named(condition.column),
        condition.values.map((value) => writeValue(value, phrases).text),
        false,
      );
    case 'compare':
      return say.compare(named(condition.column), condition.is, writeValue(condition.value, phrases));
    case 'past': {
      const { is, value } = condition.than ?? { is: '>=', value: 1 };
      return say.past(nameRows(scope, condition.rows), is, value, condition.days);
    }
  }
}

/** What does not hold, without a `not` where the language has a word for it. */
function sayNot(scope: Scope, table: string, of: Condition): string {
  const { source, phrases, say } = scope;
  if (of.kind === 'missing') return say.missing(nameOf(source, table, of.column, phrases), true);
  if (of.kind === 'in')
    return say.oneOf(
      nameOf(source, table, of.column, phrases),
      of.values.map((value) => writeValue(value, phrases).text),
      true,
    );
  if (of.kind === 'past' && !of.than) return say.past(nameRows(scope, of.rows), '=', 0, of.days);
  return say.not(sayCondition(scope, table, of));
}

function inBrackets(part: Condition, kinds: readonly Condition['kind'][], said: string): string {
  return kinds.includes(part.kind) ? `(${said})` : said;
}

const decimalsMax = 6;

function writeNumber(value: number, phrases: Phrases): string {
  return formatNumber(value, decimalsMax, phrases);
}

function writeValue(value: Value, phrases: Phrases): AskedValue {
  if (typeof value === 'object') return { text: writeMoment(value.moment, phrases), isMoment: true };
  const text =
    typeof value === 'boolean'
      ? phrases[value ? 'yes' : 'no']
      : typeof value === 'number'
        ? writeNumber(value, phrases)
        : quoteText(value, phrases);
  return { text, isMoment: false };
}

/** The day of a moment, and its time where it is not the start of the day. */
function writeMoment(moment: number, phrases: Phrases): string {
  const text = textOfDay(moment);
  const at = new Date(moment / 1000);
  const day = phrases.date(at.getUTCDate(), at.getUTCMonth(), at.getUTCFullYear());
  return text.includes('T') ? `${day}, ${text.slice('2024-01-31T'.length, '2024-01-31T12:00'.length)}` : day;
}
