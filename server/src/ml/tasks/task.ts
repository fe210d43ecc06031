import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type Reading, readFields, readYaml, requireText } from '../contract/yaml.ts';
import { type MetricName, metricNames } from '../training/metrics.ts';
import type { Condition } from './condition.ts';
import { type HeadRule, headRulesOf, type TaskHead } from './heads.ts';
import { questionProblem } from './kinds.ts';
import { parseCondition } from './parse-condition.ts';
import { parseRule } from './parse-delinquency.ts';
import { isQuery, parseQuery } from './parse-query.ts';
import {
  type AnchorLayout,
  type Delinquency,
  type FutureRows,
  horizonsMax,
  horizonsOf,
  type Obligations,
  parseDay,
  parseDays,
  type Question,
  type TaskKind,
} from './target.ts';

/** A question: about which rows, looking how far ahead, judged by what. */
export type Task = Omit<Question, 'target'> & {
  readonly name: string;
  /** Column of the label files that holds the entity's key; '' where neither task nor contract says. */
  readonly key: string;
  /** Column of the label files with the anchor. */
  readonly time: string;
  readonly label: string;
  /** Column of the label files with the date since when each label was known; else it is known when its window has closed. */
  readonly known?: string;
  readonly metric: MetricName;
  /** Days after the anchor that the label looks at; absent when labels do not say. */
  readonly windowDays?: number;
  /** Only rows dated before the anchor may be read, not those of the same moment. */
  readonly strict: boolean;
  /** The last readable moment whatever the anchor, microseconds. */
  readonly dataUntil?: number;
  /** Tables not to be read, and columns (`table.column`) that restate the label. */
  readonly ignore: readonly string[];
  readonly hide: readonly string[];
  /** Columns and tables that are read though they seem to tell the label. */
  readonly trust?: readonly string[];
  /** Without one, labels come in files. Of several heads it is the first one's. */
  readonly target?: Question['target'];
  /** Of kinds whose answers are made of several: the one that decides first. */
  readonly heads?: readonly TaskHead[];
};

const taskFields = {
  query: 'string',
  entity: 'string',
  key: 'string',
  time: 'any',
  label: 'string',
  known: 'string',
  kind: 'string',
  metric: 'string',
  window: 'any',
  data_until: 'any',
  strict: 'boolean',
  ignore: 'list',
  hide: 'list',
  trust: 'list',
  labels: 'map',
  target: 'map',
  targets: 'map',
  delinquency: 'map',
  population: 'string',
  anchors: 'map',
  description: 'string',
} as const;

type Fields = ReturnType<typeof readFields<typeof taskFields>>;

const probabilityMetrics: readonly MetricName[] = [
  'auroc',
  'average_precision',
  'kolmogorov_smirnov',
  'log_loss',
  'brier',
  'accuracy',
  'f1',
];

/** The metrics a kind of task can be judged by. */
const metricsOf: Readonly<Record<TaskKind, readonly MetricName[]>> = {
  binary: probabilityMetrics,
  credit: probabilityMetrics,
  regression: ['mae', 'rmse', 'r2'],
  multiclass: ['multiclass_accuracy', 'multiclass_macro_f1', 'multiclass_log_loss'],
  fraud: probabilityMetrics,
  lead_scoring: probabilityMetrics,
  field_sales: probabilityMetrics,
  paid_media: probabilityMetrics,
};

const kinds: readonly TaskKind[] = [
  'binary',
  'regression',
  'multiclass',
  'credit',
  'fraud',
  'lead_scoring',
  'field_sales',
  'paid_media',
];

/** Moments of one layout at most: one a day for 50 years. */
export const anchorMomentsMax = 20_000;

/**
 * Reads a definition: YAML, or a query by itself. Throws one Failure 'invalid' whose problems name line and path. Fields
 * it does not know are left to other tools that share the file, and named in `warnings`. What the contract says of it is
 * added by `resolveTask`.
 */
export function parseTask(text: string, name: string, file: string, warnings: string[] = []): Task {
  if (isQuery(text)) return taskOf(name, parseQuery(text, file), {});
  const reading = readYaml(text);
  if (reading.problems().length === 0 && (typeof reading.value !== 'object' || Array.isArray(reading.value)))
    reading.problem(
      [],
      'must be a map of fields such as entity, key, label and kind, or a query that starts with PREDICT',
    );
  if (reading.problems().length > 0) throw invalid(file, reading);
  const known: Record<string, unknown> = {};
  for (const [field, value] of Object.entries((reading.value ?? {}) as Record<string, unknown>)) {
    if (Object.hasOwn(taskFields, field)) known[field] = value;
    else warnings.push(`${file}: the field ${field} is not used`);
  }
  const fields = readFields(reading, known, [], taskFields);
  const heads = readHeads(reading, fields);
  const question = heads ? heads.question : readQuestion(reading, fields);
  const kind = heads?.kind ?? question?.kind ?? readKind(reading, fields);
  const metric = readMetric(reading, fields.metric, kind);
  const list = (value: unknown[] | undefined) => (value ?? []).map(String);
  const rest = {
    key: question?.target ? (fields.key ?? '') : requireText(reading, fields.key, ['key']),
    time: String(fields.time ?? 'date'),
    strict: fields.strict ?? false,
    ...(fields.data_until === undefined ? {} : { dataUntil: readDay(reading, fields.data_until, ['data_until']) }),
    ignore: list(fields.ignore),
    hide: list(fields.hide),
    ...(metric ? { metric } : {}),
    ...(fields.known !== undefined && { known: readKnown(reading, fields.known, question) }),
    ...(fields.trust !== undefined && { trust: list(fields.trust) }),
    ...(heads ? { heads: heads.heads } : {}),
  };
  const task = question?.target
    ? taskOf(name, question as Question, rest)
    : {
        name,
        entity: requireText(reading, fields.entity, ['entity']),
        kind: kind ?? 'binary',
        label: heads ? (heads.heads[0]?.label ?? '') : requireText(reading, fields.label, ['label']),
        ...(fields.window === undefined ? {} : { windowDays: readDays(reading, fields.window, ['window']) }),
        metric: metric ?? 'auroc',
        ...rest,
      };
  if (task.kind === 'credit' && task.windowDays === undefined)
    reading.problem(['window'], 'is missing: credit says how probable a default is within it');
  if (reading.problems().length > 0) throw invalid(file, reading);
  return task;
}

function taskOf(name: string, question: Question, rest: Partial<Task>): Task {
  return {
    name,
    key: '',
    time: 'date',
    label: 'label',
    metric: defaultMetric(question.kind),
    windowDays: Math.max(...horizonsOf(question.target)),
    strict: false,
    ignore: [],
    hide: [],
    ...rest,
    ...question,
  };
}

/** Labels made from the tables are known when their window has closed. */
function readKnown(reading: Reading, column: string, question: Partial<Question> | undefined): string {
  if (question?.target)
    reading.problem(['known'], 'is a column of label files, and these labels are made from the tables');
  return column;
}

function readKind(reading: Reading, fields: Fields): TaskKind | undefined {
  const kind = kinds.find((known) => known === fields.kind);
  if (!kind) reading.problem(['kind'], `must be one of ${kinds.join(', ')}`);
  return kind;
}

function readMetric(reading: Reading, given: string | undefined, kind: TaskKind | undefined): MetricName | undefined {
  const metric = given === undefined ? defaultMetric(kind ?? 'binary') : metricOfTask(given, kind ?? 'binary');
  if (kind && !(metric && metricsOf[kind].includes(metric)))
    reading.problem(['metric'], `must be one of ${metricsOf[kind].join(', ')} for a ${kind} task`);
  return metric;
}

export function defaultMetric(kind: TaskKind): MetricName {
  return kind === 'regression' ? 'mae' : kind === 'multiclass' ? 'multiclass_accuracy' : 'auroc';
}

/** The metric by the task's name for it; of several classes the names mean their multiclass forms. */
function metricOfTask(given: string, kind: TaskKind): MetricName | undefined {
  const plain = ({ ap: 'average_precision', roc_auc: 'auroc' } as Record<string, string>)[given] ?? given;
  const named =
    kind === 'multiclass'
      ? `multiclass_${plain.replace(/^(multiclass_)?(f1|macro_f1)$/, 'macro_f1').replace(/^multiclass_/, '')}`
      : plain;
  return metricNames.find((known) => known === named);
}

function readDays(reading: Reading, value: unknown, path: (string | number)[]): number {
  const parsed = parseDays(String(value));
  if (parsed === null) reading.problem(path, `must be a number of days such as 30d, not ${JSON.stringify(value)}`);
  return parsed ?? 1;
}

function readDay(reading: Reading, value: unknown, path: string[]): number {
  const parsed = parseDay(value);
  if (Number.isNaN(parsed)) reading.problem(path, `must be a day such as 2010-01-01, not ${JSON.stringify(value)}`);
  return parsed;
}

// --- heads -----------------------------------------------------------------------------------------------------------

type Heads = { readonly kind: TaskKind; readonly heads: readonly TaskHead[]; readonly question?: Partial<Question> };

/** What kinds with heads of their own learn; undefined for other kinds. */
function readHeads(reading: Reading, fields: Fields): Heads | undefined {
  const kind = kinds.find((known) => known === fields.kind);
  const rules = kind === undefined ? [] : headRulesOf(kind);
  if (kind === undefined || rules.length === 0) {
    for (const field of ['targets', 'labels'] as const)
      if (fields[field] !== undefined)
        reading.problem([field], `is for kinds with several heads (${headedKinds.join(', ')})`);
    return undefined;
  }
  const [first] = rules;
  if (fields.targets !== undefined) {
    for (const field of ['query', 'target', 'delinquency', 'label', 'labels'] as const)
      if (fields[field] !== undefined) reading.problem([field], 'and targets exclude each other');
    return readTargets(reading, fields, kind, rules);
  }
  if (fields.query !== undefined || fields.target !== undefined || fields.delinquency !== undefined) {
    const { kind: _, ...rest } = fields;
    const question = readQuestion(reading, fields.query === undefined ? { ...rest, kind: first!.kind } : rest);
    if (question?.kind !== undefined && question.kind !== first!.kind)
      reading.problem(['query'], `what is predicted must be a yes or no: ${first!.about}`);
    const head = { name: first!.name, kind: first!.kind, label: '', target: question?.target ?? unreadable };
    return { kind, heads: [head], question: { ...withoutDefault(fields, question), kind } };
  }
  const columns = readNamed(reading, 'labels', fields.labels ?? { [first!.name]: fields.label }, kind, rules);
  const heads = columns.map(({ rule: { name, kind: of }, value }) => {
    if (typeof value !== 'string' || value === '')
      reading.problem(['labels', name], 'must name a column of the labels');
    return { name, kind: of, label: String(value) };
  });
  return { kind, heads };
}

const headedKinds = kinds.filter((kind) => headRulesOf(kind).length > 0);

/** A map from heads to what is said of them, in the order of the rules. */
function readNamed(reading: Reading, field: string, value: unknown, kind: TaskKind, rules: readonly HeadRule[]) {
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(given))
    if (!rules.some((rule) => rule.name === name))
      reading.problem([field, name], `is no head of ${kind}, which has ${rules.map((rule) => rule.name).join(', ')}`);
  for (const { name, about, required } of rules)
    if (required && given[name] === undefined) reading.problem([field], `must say ${name}: ${about}`);
  return rules.flatMap((rule) => (given[rule.name] === undefined ? [] : [{ rule, value: given[rule.name] }]));
}

/** A target for each head, over the anchors of the first. */
function readTargets(reading: Reading, fields: Fields, kind: TaskKind, rules: readonly HeadRule[]): Heads {
  const heads: TaskHead[] = [];
  let question: Partial<Question> = {};
  for (const { rule, value } of readNamed(reading, 'targets', fields.targets, kind, rules)) {
    const path = ['targets', rule.name];
    const asked =
      typeof value === 'string'
        ? inQuery(reading, path, (file) => parseQuery(value, file))
        : readQuestion(reading, { ...fields, kind: rule.classes ? 'regression' : rule.kind, target: value }, path);
    if (!asked) continue;
    const natural = rule.classes ? 'regression' : rule.kind;
    if (asked.kind !== undefined && asked.kind !== natural)
      reading.problem(path, `makes a ${asked.kind} answer, and ${rule.name} is a ${natural} one: ${rule.about}`);
    if (asked.target && asked.target.horizonsDays?.length !== 1)
      reading.problem(path, 'must look one number of days ahead');
    if (question.entity !== undefined && asked.entity !== question.entity)
      reading.problem(path, `is asked of ${asked.entity}, and the first head of ${question.entity}`);
    if (heads.length === 0) {
      const own = typeof value === 'string' ? asked : withoutDefault(fields, asked);
      question = { ...own, ...anchorsOfTask(reading, fields), kind };
    }
    heads.push({ name: rule.name, kind: rule.kind, label: '', target: asked.target ?? unreadable });
  }
  return { kind, heads, question: { target: unreadable, ...question } };
}

/** Leads have no rows of what they may come to do: whoever is known is asked about, unless the task says whom. */
function withoutDefault(fields: Fields, question: Partial<Question> | undefined): Partial<Question> {
  if (fields.population !== undefined || fields.query !== undefined) return { ...question };
  const { population: _, ...rest } = question ?? {};
  return rest;
}

/** Where a head is a query, the task may still say anchors for all. */
function anchorsOfTask(reading: Reading, fields: Fields): Partial<Question> {
  return fields.anchors === undefined ? {} : { anchors: readAnchors(reading, fields.anchors) };
}

// --- labels made from the tables --------------------------------------------------------------------------------------

/** The question of `query`, `target` or `delinquency`; undefined where labels come in files. */
function readQuestion(reading: Reading, fields: Fields, path = ['target']): Partial<Question> | undefined {
  if (fields.query !== undefined) {
    for (const field of [
      'entity',
      'kind',
      'label',
      'window',
      'target',
      'delinquency',
      'population',
      'anchors',
    ] as const)
      if (fields[field] !== undefined) reading.problem([field], 'is said by the query: leave it out');
    return inQuery(reading, ['query'], (file) => parseQuery(fields.query!, file));
  }
  if (fields.target === undefined && fields.delinquency === undefined) {
    if (fields.population !== undefined) reading.problem(['population'], 'needs a target or a delinquency');
    return undefined;
  }
  if (fields.target !== undefined && fields.delinquency !== undefined)
    reading.problem(['delinquency'], 'and target exclude each other');
  const entity = requireText(reading, fields.entity, ['entity']);
  const target =
    fields.target !== undefined
      ? readTarget(reading, fields.target, fields.window, path)
      : readDelinquency(reading, fields.delinquency, entity);
  const kind = fields.kind === undefined && fields.delinquency !== undefined ? 'binary' : readKind(reading, fields);
  const anchors = fields.anchors === undefined ? undefined : readAnchors(reading, fields.anchors);
  const problem = target && questionProblem(target, target.horizonsDays, anchors, kind);
  if (problem)
    reading.problem(
      problem.of === 'horizons' ? (fields.target === undefined ? ['delinquency'] : path) : [problem.of],
      problem.message,
    );
  const population =
    fields.population === undefined
      ? target && populationOf(target)
      : inQuery(reading, ['population'], (file) => parseCondition(fields.population!, file, entity, true));
  return {
    entity,
    ...(kind ? { kind } : {}),
    ...(target ? { target } : { target: unreadable }),
    ...(population ? { population } : {}),
    ...(anchors ? { anchors } : {}),
  };
}

/** Stands where a target could not be read, of which problems tell. */
const unreadable: FutureRows = { kind: 'rows', table: '', aggregate: 'exists', horizonsDays: [1] };

/** Asked about are those who had a row of the target table by then. */
function populationOf(target: FutureRows | Delinquency): Condition | undefined {
  if (!target.horizonsDays) return undefined;
  const { table, reference } = target;
  return { kind: 'past', rows: { table, ...(reference ? { reference } : {}) } };
}

/** What a query parser says of a field, told with the field's line. */
function inQuery<T>(reading: Reading, path: string[], read: (file: string) => T): T | undefined {
  try {
    return read('');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const { at, message } of error.problems) reading.problem(path, `${at.replace(/^line 1, /, '')}: ${message}`);
    return undefined;
  }
}

function readTarget(reading: Reading, value: unknown, window: unknown, path = ['target']): FutureRows {
  const given = readFields(reading, value, path, {
    table: 'string',
    reference: 'string',
    overdue: 'map',
    where: 'string',
    aggregate: 'string',
    horizons: 'list',
  });
  const table = requireText(reading, given.table, [...path, 'table']);
  const where =
    given.where === undefined
      ? undefined
      : inQuery(reading, [...path, 'where'], (file) => parseCondition(given.where!, file, table, false));
  return {
    kind: 'rows',
    table,
    ...(given.reference === undefined ? {} : { reference: given.reference.split('.') }),
    ...(given.overdue === undefined ? {} : { overdue: readOverdue(reading, given.overdue, [...path, 'overdue']) }),
    ...(where ? { where } : {}),
    aggregate: readAggregate(reading, given.aggregate, [...path, 'aggregate']),
    horizonsDays: readHorizons(reading, given.horizons ?? [window ?? '30d'], [...path, 'horizons']),
  };
}

function readHorizons(reading: Reading, values: readonly unknown[], path: readonly string[]): readonly number[] {
  if (values.length === 0 || values.length > horizonsMax) reading.problem(path, `must list 1 to ${horizonsMax}`);
  const horizons = values.map((value, i) => readDays(reading, value, [...path, i]));
  return [...new Set(horizons)].sort((a, b) => a - b);
}

function readOverdue(reading: Reading, value: unknown, path: string[]): NonNullable<FutureRows['overdue']> {
  const given = readFields(reading, value, path, { due: 'string', paid: 'string', days: 'number' });
  return {
    due: requireText(reading, given.due, [...path, 'due']),
    paid: requireText(reading, given.paid, [...path, 'paid']),
    days: given.days ?? 0,
  };
}

function readAggregate(reading: Reading, text: string | undefined, path: string[]): FutureRows['aggregate'] {
  const plain = (['exists', 'count', 'first'] as const).find((one) => one === (text ?? 'exists'));
  if (plain) return plain;
  const match = /^(sum|next)\(([^()]+)\)$/.exec(text!);
  if (match) return match[1] === 'sum' ? { sum: match[2]! } : { next: match[2]! };
  const message = `must be exists, count, first, sum(column) or next(column), not ${JSON.stringify(text)}`;
  reading.problem(path, message);
  return 'exists';
}

function readDelinquency(reading: Reading, value: unknown, entity: string): Delinquency | undefined {
  const given = readFields(reading, value, ['delinquency'], {
    table: 'string',
    reference: 'string',
    opened: 'string',
    rule: 'string',
    obligations: 'map',
    horizons: 'list',
  });
  const text = requireText(reading, given.rule, ['delinquency', 'rule']);
  const rule = text === '' ? undefined : inQuery(reading, ['delinquency', 'rule'], (file) => parseRule(text, file));
  if (!rule) return undefined;
  return {
    kind: 'delinquency',
    table: given.table ?? entity,
    ...(given.reference === undefined ? {} : { reference: given.reference.split('.') }),
    ...(given.opened === undefined ? {} : { opened: given.opened }),
    rule,
    ...(given.obligations === undefined ? {} : { obligations: readObligations(reading, given.obligations) }),
    ...(given.horizons === undefined
      ? {}
      : { horizonsDays: readHorizons(reading, given.horizons, ['delinquency', 'horizons']) }),
  };
}

function readObligations(reading: Reading, value: unknown): Obligations {
  const path = ['delinquency', 'obligations'];
  const given = readFields(reading, value, path, {
    table: 'string',
    reference: 'string',
    due: 'string',
    paid: 'string',
    amount: 'string',
    paid_amount: 'string',
  });
  if ((given.amount === undefined) !== (given.paid_amount === undefined))
    reading.problem(path, 'amount and paid_amount go together: what was paid with less than was due is unpaid');
  return {
    table: requireText(reading, given.table, [...path, 'table']),
    ...(given.reference === undefined ? {} : { reference: given.reference.split('.') }),
    due: requireText(reading, given.due, [...path, 'due']),
    paid: requireText(reading, given.paid, [...path, 'paid']),
    ...(given.amount === undefined || given.paid_amount === undefined
      ? {}
      : { amounts: { due: given.amount, paid: given.paid_amount } }),
  };
}

function readAnchors(reading: Reading, value: unknown): AnchorLayout {
  const given = readFields(reading, value, ['anchors'], { every: 'any', from: 'any', until: 'any', once: 'boolean' });
  const { every, from, until } = given;
  const anchors: AnchorLayout = {
    ...(every === undefined ? {} : { everyDays: readDays(reading, every, ['anchors', 'every']) }),
    ...(given.once === true ? { isOnce: true } : {}),
    ...(from === undefined ? {} : { from: readDay(reading, from, ['anchors', 'from']) }),
    ...(until === undefined ? {} : { until: readDay(reading, until, ['anchors', 'until']) }),
  };
  if (anchors.from === undefined || anchors.until === undefined) return anchors;
  if (anchors.until < anchors.from) reading.problem(['anchors', 'until'], 'lies before anchors.from');
  const moments = (anchors.until - anchors.from) / microsecondsPerDay / (anchors.everyDays ?? 30);
  if (moments > anchorMomentsMax)
    reading.problem(['anchors', 'every'], `makes ${Math.floor(moments)} moments; at most ${anchorMomentsMax}`);
  return anchors;
}

function invalid(file: string, reading: Reading): Failure {
  const problems = reading.problems();
  return new Failure('invalid', `${file} is not a task: ${problems.map((p) => `${p.at}: ${p.message}`).join('; ')}`, {
    problems,
  });
}
