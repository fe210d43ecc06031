import { Failure } from '../../lib/failure.ts';
import type { LogicalType } from '../../lib/files/column.ts';
import { nearestWord } from '../../lib/nearest-word.ts';
import type { ColumnContract, Contract, TableContract } from '../contract/contract.ts';
import { plainText } from '../contract/rules.ts';
import type { Condition, RowsOf, Value } from './condition.ts';
import { type Mistake, tellMistake } from './mistakes.ts';
import type { Delinquency, FutureRows, Obligations, Payment, Target } from './target.ts';
import type { Task } from './task.ts';

/** The tables and columns that a task may name. */
export function namesIn({ tables }: Pick<Contract, 'tables'>): readonly string[] {
  return tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
}

/**
 * Completes a task from its contract: the paths from its tables to the entity, the entity's key, and the table of
 * obligations. Checks that what it names exists and that its conditions fit the types of their columns. A misspelt
 * `hide` is an error and not a warning, because the column that tells the label would then be read. Throws Failure
 * 'invalid' that says what is missing, or lists what there is to choose from.
 */
export function resolveTask<T extends Task>(task: T, { tables }: Pick<Contract, 'tables'>, file: string): T {
  const refuse: Scope['refuse'] = (mistake) => {
    const { message, because } = tellMistake(mistake);
    return new Failure('invalid', `${file}: ${message}`, because && { because });
  };
  const scope: Scope = { tables, refuse };
  const tableNames = tables.map(({ name }) => name);
  const entity = tables.find(({ name }) => name === task.entity);
  if (!entity)
    throw refuse({
      ...{ code: 'unknown_entity', name: task.entity, tables: tableNames },
      meant: nearestWord(task.entity, tableNames),
    });
  for (const name of task.ignore) {
    if (!tables.some((table) => table.name === name))
      throw refuse({
        ...{ code: 'unknown_named', field: 'ignore', name, of: 'table', tables: tableNames },
        meant: nearestWord(name, tableNames),
      });
    if (name === task.entity) throw refuse({ code: 'entity_ignored', name });
  }
  const columns = new Set(tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`)));
  for (const name of task.hide) {
    if (!columns.has(name)) throw refuse(unknownNamed('hide', name, 'column', [...columns]));
  }
  for (const name of task.trust ?? []) {
    if (!columns.has(name) && !tables.some((table) => table.name === name))
      throw refuse(unknownNamed('trust', name, 'either', [...columns]));
  }
  for (const name of task.outcome ?? []) checkOutcome(scope, name, entity, task.hide);
  checkSteering(task, tables, columns, refuse);
  if (!task.target) return task;
  if (task.anchors?.isOnce && !entity.time) throw refuse(withoutTime(entity, 'once'));
  const resolveTarget = (target: Target) =>
    target.kind === 'rows' ? resolveRows(scope, target, entity) : resolveLoans(scope, target, entity);
  const heads = task.heads?.map((head) => ({ ...head, target: resolveTarget(head.target!) }));
  return {
    ...task,
    key: task.key === '' ? (entity.key[0] ?? '') : task.key,
    target: heads?.[0]?.target ?? resolveTarget(task.target),
    ...(heads ? { heads } : {}),
    ...(task.population ? { population: resolveCondition(scope, task.population, entity, 'FOR') } : {}),
  };
}

/** How codes of features are spelt. */
const codeShape = /^[\p{Ll}\p{Lo}\p{N}_]+$/u;

/** Refuses paths that can be neither a column, a table nor a code; which codes there are, only proposals tell. */
function checkSteering(
  { features = {} }: Task,
  tables: Contract['tables'],
  columns: ReadonlySet<string>,
  refuse: Scope['refuse'],
): void {
  const names = new Set([...tables.map(({ name }) => name), ...columns]);
  for (const [word, paths] of Object.entries(features))
    for (const path of paths) {
      if (names.has(path) || codeShape.test(path) || path.startsWith('@')) continue;
      throw refuse(unknownNamed(`features.${word}`, path, 'either', [...names]));
    }
}

type Scope = {
  readonly tables: readonly TableContract[];
  readonly refuse: (mistake: Mistake | string) => Failure;
};

function unknownNamed(field: string, name: string, of: 'column' | 'either', paths: readonly string[]): Mistake {
  return { code: 'unknown_named', field, name, of, tables: null, meant: meantPath(name, paths) };
}

/** A column of another table that has this very name, else the nearest path. */
function meantPath(name: string, paths: readonly string[]): string | null {
  const column = name.slice(name.indexOf('.') + 1);
  const elsewhere = paths.filter((path) => path.endsWith(`.${column}`));
  if (elsewhere.length === 0) return nearestWord(name, paths);
  return nearestWord(name, elsewhere) ?? elsewhere[0]!;
}

/** Refuses an outcome that is no column of the entity table, or one that says which row it is and not how it went. */
function checkOutcome(scope: Scope, name: string, entity: TableContract, hide: readonly string[]): void {
  const place = `${entity.name}.${name}`;
  if (name.startsWith(`${entity.name}.`) && !entity.columns.some((column) => column.name === name))
    throw scope.refuse({ code: 'outcome_with_table', name, column: name.slice(entity.name.length + 1) });
  columnOf(scope, entity, name, 'outcome');
  if (!saysHowItWent(entity, name)) throw scope.refuse({ code: 'outcome_of_key', name: place });
  if (hide.includes(place)) throw scope.refuse({ code: 'outcome_hidden', name: place });
}

/** Whether a column can be an outcome of its rows: not one that says which row it is, when, or of whom. */
export function saysHowItWent({ columns, key, references, time, knownAt }: TableContract, name: string): boolean {
  const isTime = time && 'column' in time && (time.column === name || time.clock === name);
  const isReference = references.some(({ column }) => column === name);
  const own = columns.find((column) => column.name === name);
  return own !== undefined && !own.graphKey && !isTime && !isReference && name !== knownAt && !key.includes(name);
}

function tableOf({ tables, refuse }: Scope, name: string, what: string): TableContract {
  const names = tables.map((one) => one.name);
  const table = tables.find((one) => one.name === name);
  if (!table) throw refuse({ code: 'unknown_table', what, name, tables: names, meant: nearestWord(name, names) });
  return table;
}

function columnOf(
  { refuse }: Scope,
  table: TableContract,
  name: string,
  of: 'outcome' | 'target' = 'target',
): ColumnContract {
  const names = table.columns.map((one) => one.name);
  const column = table.columns.find((one) => one.name === name);
  if (!column)
    throw refuse({
      ...{ code: 'unknown_column', of, name, table: table.name, columns: names },
      meant: nearestWord(name, names),
    });
  return column;
}

/** The type a column is read with: for a reference, that of the key it points to. */
function typeOf({ tables }: Scope, table: TableContract, column: ColumnContract): LogicalType {
  const reference = table.references.find((one) => one.column === column.name);
  const key = tables.find(({ name }) => name === reference?.table)?.columns.find(({ name }) => name === reference?.key);
  return key?.type ?? column.type;
}

function dateColumn(scope: Scope, table: TableContract, name: string): ColumnContract {
  const column = columnOf(scope, table, name);
  if (column.type !== 'date' && column.type !== 'timestamp')
    throw scope.refuse({ code: 'no_date', column: `${table.name}.${name}`, type: column.type });
  return column;
}

function numberColumn(scope: Scope, table: TableContract, name: string): void {
  const type = typeOf(scope, table, columnOf(scope, table, name));
  if (type !== 'number' && type !== 'integer' && type !== 'boolean')
    throw scope.refuse({ code: 'no_number', column: `${table.name}.${name}`, type });
}

function resolveRows(scope: Scope, target: FutureRows, entity: TableContract): FutureRows {
  const table = tableOf(scope, target.table, 'target table');
  const { overdue, where, aggregate } = target;
  const payment = overdue && checkPayment(scope, table, overdue);
  if (!overdue && !table.time) throw scope.refuse(withoutTime(table, 'target'));
  if (typeof aggregate === 'object') {
    if ('sum' in aggregate) numberColumn(scope, table, aggregate.sum);
    else {
      const type = typeOf(scope, table, columnOf(scope, table, aggregate.next));
      if (type === 'date' || type === 'timestamp' || type === 'time')
        throw scope.refuse({ code: 'no_category', column: `${table.name}.${aggregate.next}`, type });
    }
  }
  return {
    ...target,
    ...(overdue ? { overdue: { ...overdue, ...payment } } : {}),
    reference: resolvePath(scope, table, target.reference, entity.name),
    ...(where ? { where: resolveCondition(scope, where, table, 'WHERE') } : {}),
  };
}

/** That rows of a table are not dated, which may have dates to date them by. */
function withoutTime({ name, columns }: TableContract, asks: 'target' | 'once' | 'last' | 'opening'): Mistake {
  const dates = columns.filter(({ type }) => type === 'date' || type === 'timestamp').map((column) => column.name);
  return { code: 'no_time', asks, table: name, dates };
}

function resolveLoans(scope: Scope, target: Delinquency, entity: TableContract): Delinquency {
  const loans = tableOf(scope, target.table, 'table');
  const { opened, rule, horizonsDays } = target;
  if (opened !== undefined) dateColumn(scope, loans, opened);
  else if (!loans.time) throw scope.refuse(withoutTime(loans, 'opening'));
  if (!horizonsDays && entity.name !== loans.name)
    throw scope.refuse({ code: 'delinquency_of_other', table: loans.name, entity: entity.name });
  const isColumn = rule.kind === 'charge_off' && 'column' in rule.by;
  if (isColumn) dateColumn(scope, loans, (rule.by as { column: string }).column);
  const obligations = isColumn
    ? target.obligations && checkObligations(scope, target.obligations, loans)
    : checkObligations(scope, target.obligations ?? findObligations(scope, loans), loans);
  return {
    ...target,
    reference: resolvePath(scope, loans, target.reference, entity.name),
    ...(obligations ? { obligations } : {}),
  };
}

function checkObligations(scope: Scope, obligations: Obligations, loans: TableContract): Obligations {
  const table = tableOf(scope, obligations.table, 'table of what is due');
  const payment = checkPayment(scope, table, obligations);
  return { ...obligations, ...payment, reference: resolvePath(scope, table, obligations.reference, loans.name) };
}

/** Checks the columns of payments for what rows of `table` owe, and completes the path from a table of payments. */
function checkPayment(scope: Scope, table: TableContract, given: Payment): Pick<Payment, 'payments'> {
  const { due, paid, amounts, payments } = given;
  dateColumn(scope, table, due);
  const from = payments ? tableOf(scope, payments.table, 'table of payments') : table;
  dateColumn(scope, from, paid);
  if (amounts) {
    numberColumn(scope, table, amounts.due);
    numberColumn(scope, from, amounts.paid);
  }
  return payments
    ? { payments: { ...payments, reference: resolvePath(scope, from, payments.reference, table.name) } }
    : {};
}

/**
 * The only table that refers directly to loans and has exactly one planned date and exactly one date that is neither
 * planned nor its event time.
 */
function findObligations({ tables, refuse }: Scope, loans: TableContract): Obligations {
  const found = tables.flatMap((table) => {
    if (!table.references.some((reference) => reference.table === loans.name)) return [];
    const ownTime = table.time && 'column' in table.time ? table.time.column : undefined;
    const dates = table.columns.filter(({ type }) => type === 'date' || type === 'timestamp');
    const due = dates.filter(({ planned }) => planned);
    const paid = dates.filter(({ name, planned }) => !planned && name !== ownTime && name !== table.knownAt);
    return due.length === 1 && paid.length === 1 ? [{ table: table.name, due: due[0].name, paid: paid[0].name }] : [];
  });
  if (found.length === 1) return found[0];
  const choices = found.map(({ table, due, paid }) => `${table}(${due}, ${paid})`);
  throw refuse({ code: 'unclear_obligations', table: loans.name, choices });
}

// --- paths
// ------------------------------------------------------------------------------------------------------------

/** Maximum number of references in a path. */
export const pathLengthMax = 4;

function resolvePath(
  scope: Scope,
  from: TableContract,
  given: readonly string[] | undefined,
  to: string,
): readonly string[] {
  const { tables, refuse } = scope;
  if (given) {
    let table = from;
    for (const step of given) {
      const reference = table.references.find(({ column }) => column === step);
      const columns = table.references.map(({ column }) => column);
      if (!reference) throw refuse({ code: 'no_reference', column: step, table: table.name, columns });
      table = tableOf(scope, reference.table, 'table');
    }
    if (table.name !== to) throw refuse({ code: 'other_end', path: given.join('.'), table: table.name, to });
    return given;
  }
  const found: string[][] = [];
  const walk = (table: TableContract, path: readonly string[], seen: readonly string[]) => {
    if (table.name === to) found.push([...path]);
    else if (path.length < pathLengthMax)
      for (const { column, table: name } of table.references) {
        const next = tables.find((one) => one.name === name);
        if (next && !seen.includes(name)) walk(next, [...path, column], [...seen, name]);
      }
  };
  walk(from, [], [from.name]);
  if (found.length === 1) return found[0];
  if (found.length === 0) throw refuse({ code: 'no_path', table: from.name, to });
  throw refuse({ code: 'many_paths', table: from.name, to, paths: found.map((path) => path.join('.')) });
}

// --- conditions
// -------------------------------------------------------------------------------------------------------

/** `word`: the keyword before the condition, for error messages. */
function resolveCondition(scope: Scope, condition: Condition, table: TableContract, word: string): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, of: condition.of.map((part) => resolveCondition(scope, part, table, word)) };
    case 'not':
      return { ...condition, of: resolveCondition(scope, condition.of, table, word) };
    case 'past':
      return { ...condition, rows: resolvePast(scope, condition, table) };
    case 'missing':
      columnOf(scope, table, condition.column);
      return condition;
    case 'compare':
      checkValue(scope, table, condition.column, condition.value);
      if (typeof condition.value === 'boolean' && condition.is !== '=' && condition.is !== '!=')
        throw scope.refuse({ code: 'no_order', column: `${table.name}.${condition.column}` });
      // The value that text is compared with by < or > need not be an allowed one.
      if (condition.is === '=' || condition.is === '!=') checkAllowed(scope, table, condition.column, condition.value);
      return condition;
    case 'in':
      for (const value of condition.values) {
        checkValue(scope, table, condition.column, value);
        checkAllowed(scope, table, condition.column, value);
      }
      return condition;
  }
}

function resolvePast(scope: Scope, { rows, days }: Condition & { kind: 'past' }, entity: TableContract): RowsOf {
  const table = tableOf(scope, rows.table, 'table');
  if (days !== undefined && !table.time) throw scope.refuse(withoutTime(table, 'last'));
  return {
    ...rows,
    reference: resolvePath(scope, table, rows.reference, entity.name),
    ...(rows.where ? { where: resolveCondition(scope, rows.where, table, 'WHERE') } : {}),
  };
}

function checkValue(scope: Scope, table: TableContract, name: string, value: Value): void {
  const type = typeOf(scope, table, columnOf(scope, table, name));
  const given = typeof value === 'object' ? 'moment' : typeof value;
  const isFit =
    type === 'string'
      ? given === 'string'
      : type === 'date' || type === 'timestamp'
        ? given === 'moment'
        : type === 'boolean'
          ? given === 'boolean' || value === 0 || value === 1
          : type !== 'time' && given === 'number';
  if (isFit) return;
  const shown =
    typeof value === 'object' ? new Date(value.moment / 1000).toISOString().slice(0, 10) : JSON.stringify(value);
  throw scope.refuse({ code: 'other_type', column: `${table.name}.${name}`, value: shown, type });
}

const allowedShownMax = 20;

/**
 * Refuses a text or number that the contract does not allow in the column: no row has it, and it is mostly misspelt.
 */
function checkAllowed(scope: Scope, table: TableContract, name: string, value: Value): void {
  const { type, enum: allowed } = columnOf(scope, table, name);
  if (!allowed || type === 'boolean' || typeof value === 'object') return;
  if (allowed.some((one) => plainText({ type }, one) === plainText({ type }, String(value)))) return;
  throw scope.refuse({
    ...{ code: 'not_allowed', column: `${table.name}.${name}`, value: JSON.stringify(value) },
    ...{ allowed: allowed.slice(0, allowedShownMax), isMore: allowed.length > allowedShownMax },
  });
}
