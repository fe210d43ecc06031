import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { contractOf, placeRead } from '../explain/lineage.ts';
import { describeFeature, type Language } from '../explain/wording.ts';
import type { Graph } from '../features/graph.ts';
import { entityTable } from '../tasks/examples.ts';
import { type Mistake, sayMistake } from '../tasks/mistakes.ts';
import { saysHowItWent } from '../tasks/resolve.ts';
import type { Task } from '../tasks/task.ts';
import { certainLift, type Evidence, findLeaks, type Leak } from './find.ts';
import type { RowLeak } from './row-leaks.ts';

/** A leak in words: where it is, what was found, and the questions that show it. */
export type ToldLeak = {
  /** `table.column` of the column responsible, or else a table. */
  readonly at: string;
  readonly rule: Leak['rule'];
  readonly certain: boolean;
  readonly lift: number;
  readonly message: string;
};

/** What a leak is in: rows of a table, a column, or one that may be an outcome of the rows asked about. */
type Place = 'table' | 'column' | 'outcome';

/** What is said of a task where a leak is told. */
export type LeakageTask = Pick<Task, 'name' | 'entity'> &
  Partial<Pick<Task, 'key' | 'trust' | 'hide' | 'target' | 'label'>>;

const toldMax = 20;
const namesShown = 3;

/**
 * Describes the leaks, one entry per column. Throws Failure 'invalid' (`leakage_found`) when a certain leak is not
 * trusted by the task.
 */
export function tellLeaks(evidence: Evidence, { task, graph }: { task: LeakageTask; graph: Graph }): ToldLeak[] {
  const trusted = new Set(task.trust ?? []);
  const contract = contractOf(graph);
  const told = new Map<string, ToldLeak>();
  const leaks = new Map<string, Leak>();
  for (const leak of findLeaks(evidence)) {
    const at = placeOf(leak, evidence, task, contract);
    if (trusted.has(at) || told.has(at) || told.size >= toldMax) continue;
    leaks.set(at, leak);
    told.set(at, {
      at,
      rule: leak.rule,
      certain: leak.isCertain,
      lift: Number(leak.lift.toFixed(4)),
      message: `${at} ${sentenceOf(leak, evidence, task, contract)}. ${examplesOf(leak, evidence, task, graph)}`,
    });
  }
  const kindOf = (at: string): Place => {
    // Values that rows share are tables of the graph, called by their column.
    for (const table of contract.tables)
      for (const { name } of table.columns)
        if (at === `${table.name}.${name}`)
          return table.name === task.entity && saysHowItWent(table, name) ? 'outcome' : 'column';
    return 'table';
  };
  return refuseCertain(task, [...told.values()], kindOf, ({ at, lift }) => ({
    what: whatOf(leaks.get(at)!, evidence, task, contract, 'pt-BR'),
    measure: evidence.isNumber ? 'rank_correlation' : 'auroc',
    strength: Number(strengthOf(lift, evidence).toFixed(3)),
  }));
}

/** Whether a row becomes what is asked about is yes or no, whatever the label is. */
const ofClasses = { isNumber: false };

/** Describes columns that tell of the rows that are counted what becomes of them. Throws as `tellLeaks` does. */
export function tellRowLeaks(leaks: readonly RowLeak[], task: LeakageTask): ToldLeak[] {
  const trusted = new Set(task.trust ?? []);
  const told = leaks.flatMap(({ at, lift, rows }): ToldLeak[] => {
    if (trusted.has(at)) return [];
    const strength = strengthOf(lift, ofClasses).toFixed(3);
    const message = `${at} tells nearly by itself which of ${rows} rows came to be what is asked about (AUROC ${strength}), and stands in them from their own time on: it may have been written when that was known`;
    return [{ at, rule: 'tells_label', certain: lift >= certainLift.classes, lift: Number(lift.toFixed(4)), message }];
  });
  // Read as an outcome, of earlier rows, it would still be read of those that are open.
  return refuseCertain(
    task,
    told,
    () => 'column',
    ({ at, lift }) => ({
      ...{ what: at.slice(at.indexOf('.') + 1), measure: 'auroc' },
      strength: Number(strengthOf(lift, ofClasses).toFixed(3)),
    }),
  );
}

/** Returns what is told, or throws Failure 'invalid' (`leakage_found`) where some of it is certain. */
function refuseCertain(
  task: LeakageTask,
  told: readonly ToldLeak[],
  kindOf: (at: string) => Place,
  detailsOf: (first: ToldLeak) => { what: string; measure: 'auroc' | 'rank_correlation'; strength: number },
): ToldLeak[] {
  const certain = told.filter((one) => one.certain);
  const [first] = certain;
  if (!first) return [...told];
  const names = certain.slice(0, namesShown).map(({ at }) => at);
  const ofKind = (...kinds: Place[]) => names.filter((at) => kinds.includes(kindOf(at)));
  const because: Mistake = {
    ...{ code: 'leakage', task: task.name, said: first.message, names },
    remedies: {
      hide: ofKind('column', 'outcome'),
      ignore: ofKind('table').filter((at) => at !== task.entity),
      outcome: ofKind('outcome'),
      trust: names,
    },
    more: Math.max(0, certain.length - namesShown),
    ...detailsOf(first),
  };
  const problems = certain.map(({ at, message }) => ({ at, message }));
  throw new Failure('invalid', sayMistake(because), { reason: 'leakage_found', problems, because });
}

/** The column responsible, or the table whose rows are counted. */
function placeOf({ feature }: Leak, { features }: Evidence, task: LeakageTask, contract: Contract): string {
  if (feature === null) return task.entity;
  return placeRead({ contract, entity: task.entity }, features[feature]);
}

/** What is read there, in words; '' of a table as a whole. */
function whatOf(
  { feature }: Leak,
  { features }: Evidence,
  task: LeakageTask,
  contract: Contract,
  language: Language,
): string {
  return feature === null ? '' : describeFeature(features[feature], contract, language, task);
}

/** The AUROC of yes and no, the rank correlation of numbers. */
function strengthOf(lift: number, { isNumber }: Pick<Evidence, 'isNumber'>): number {
  return isNumber ? lift : (1 + lift) / 2;
}

function sentenceOf(leak: Leak, evidence: Evidence, task: LeakageTask, contract: Contract): string {
  const strength = (lift: number) =>
    `${evidence.isNumber ? 'rank correlation' : 'AUROC'} ${strengthOf(lift, evidence).toFixed(3)}`;
  const what = whatOf(leak, evidence, task, contract, 'en');
  switch (leak.rule) {
    case 'tells_label':
      return `tells the label nearly by itself ("${what}": ${strength(leak.lift)}): it may have been written after the outcome`;
    case 'lift_collapses':
      return `says much of the label and, read a day earlier, next to nothing ("${what}": ${strength(leak.lift)}, a day earlier ${strength(leak.liftEarlier)}): it may be written at the outcome`;
    case 'order_tells_label':
      return `has its rows in the order of their labels (${strength(leak.lift)} within stretches of time): keys given in that order would tell them`;
    case 'twins_across_time':
      return 'has later rows that repeat earlier ones, with their labels: what is measured on them is too kind';
  }
}

function examplesOf(
  { feature, examples }: Leak,
  { now, labels, rows, at }: Evidence,
  task: LeakageTask,
  { tables }: Graph,
): string {
  const table = entityTable(task, tables);
  const key = table.columns.get(table.contract.key[0] ?? '');
  const nameOf = (row: number): string => {
    if (row < 0 || key === undefined) return 'a row';
    return key.kind === 'text' ? (key.dictionary[key.codes[row]] ?? 'a row') : String(key.values[row]);
  };
  const shown = examples.map((q) => {
    const value = feature === null ? Number.NaN : now.values[feature * now.rows + q];
    const read = feature === null ? '' : `${Number.isNaN(value) ? 'missing' : Number(value.toPrecision(6))}, `;
    return `${nameOf(rows[q])} as of ${new Date(at[q] / 1000).toISOString().slice(0, 10)}: ${read}label ${labels[q]}`;
  });
  return `For example ${shown.join('; ')}`;
}
