import { Failure } from '../../lib/failure.ts';
import { type Contract, microsecondsPerDay } from '../contract/contract.ts';
import { readFields, readYaml, requireText } from '../contract/yaml.ts';
import { type MetricName, metricNames } from '../training/metrics.ts';

/** A question: about which rows, looking how far ahead, judged by what. */
export type Task = {
  readonly name: string;
  /** Table of the predicted rows, and the column of the label files that holds its key. */
  readonly entity: string;
  readonly key: string;
  /** Column of the label files with the anchor. */
  readonly time: string;
  readonly label: string;
  readonly kind: TaskKind;
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
  readonly target?: Target;
  readonly anchors?: AnchorLayout;
};

export type TaskKind = 'binary' | 'regression' | 'multiclass' | 'credit';

/** Labels made from future rows of `table`, reached from the entity by `reference` (references joined by dots). */
export type Target = {
  readonly table: string;
  readonly reference: readonly string[];
  readonly horizonsDays: readonly number[];
  readonly event: /** Something due at `due` and not paid `days` days later happens on that day. */
    | { readonly kind: 'overdue'; readonly due: string; readonly paid: string; readonly days: number }
    /** Rows for which the condition holds happen at their own time. */
    | { readonly kind: 'where'; readonly column: string; readonly is: Comparison; readonly value: string | number }
    | { readonly kind: 'any' };
  /** What the label says of the events in the window. */
  readonly aggregate: 'exists' | 'count' | { readonly sum: string };
};

export type Comparison = '=' | '!=' | '>' | '>=' | '<' | '<=';

/** Where anchors are laid when no label file gives them: every entity known by then, every so many days. Microseconds. */
export type AnchorLayout = { readonly everyDays: number; readonly from: number; readonly until: number };

const taskFields = {
  entity: 'string',
  key: 'string',
  time: 'any',
  label: 'string',
  kind: 'string',
  metric: 'string',
  window: 'any',
  data_until: 'any',
  strict: 'boolean',
  ignore: 'list',
  hide: 'list',
  target: 'map',
  anchors: 'map',
  description: 'string',
} as const;

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
};

/** Moments of one layout at most: one a day for 50 years. */
const anchorMomentsMax = 20_000;

/**
 * Reads `task.yaml`. Throws one Failure 'invalid' whose problems name line and path. Fields it does not know are left to
 * other tools that share the file, and named in `warnings`.
 */
export function parseTask(text: string, name: string, file: string, warnings: string[] = []): Task {
  const reading = readYaml(text);
  if (reading.problems().length === 0 && (typeof reading.value !== 'object' || Array.isArray(reading.value)))
    reading.problem([], 'must be a map of fields such as entity, key, label and kind');
  if (reading.problems().length > 0) throw invalid(file, reading.problems());
  const known: Record<string, unknown> = {};
  for (const [field, value] of Object.entries((reading.value ?? {}) as Record<string, unknown>)) {
    if (Object.hasOwn(taskFields, field)) known[field] = value;
    else warnings.push(`${file}: the field ${field} is not used`);
  }
  const fields = readFields(reading, known, [], taskFields);
  const kinds: readonly TaskKind[] = ['binary', 'regression', 'multiclass', 'credit'];
  const kind = kinds.find((known) => known === fields.kind);
  if (!kind) reading.problem(['kind'], `must be one of ${kinds.join(', ')}`);
  const metricOf = fields.metric ?? (kind === 'regression' ? 'mae' : kind === 'multiclass' ? 'accuracy' : 'auroc');
  const metric = metricOfTask(metricOf, kind ?? 'binary');
  if (kind && !(metric && metricsOf[kind].includes(metric)))
    reading.problem(['metric'], `must be one of ${metricsOf[kind].join(', ')} for a ${kind} task`);
  const days = (value: unknown, path: (string | number)[]) => {
    const parsed = parseDays(String(value));
    if (parsed === null) reading.problem(path, `must be a number of days such as 30d, not ${JSON.stringify(value)}`);
    return parsed ?? 1;
  };
  const day = (value: unknown, path: string[]) => {
    const parsed = parseDay(value);
    if (Number.isNaN(parsed)) reading.problem(path, `must be a day such as 2010-01-01, not ${JSON.stringify(value)}`);
    return parsed;
  };
  let target: Target | undefined;
  if (fields.target !== undefined) {
    const given = readFields(reading, fields.target, ['target'], {
      table: 'string',
      reference: 'string',
      overdue: 'map',
      where: 'string',
      aggregate: 'string',
      horizons: 'list',
    });
    target = {
      table: requireText(reading, given.table, ['target', 'table']),
      reference: requireText(reading, given.reference, ['target', 'reference']).split('.'),
      horizonsDays: (given.horizons ?? [fields.window ?? '30d']).map((value, i) =>
        days(value, ['target', 'horizons', i]),
      ),
      event:
        given.overdue === undefined
          ? parseWhere(given.where, (message) => reading.problem(['target', 'where'], message))
          : overdue(given.overdue),
      aggregate: parseAggregate(given.aggregate, (message) => reading.problem(['target', 'aggregate'], message)),
    };
    if (target.horizonsDays.length === 0) reading.problem(['target', 'horizons'], 'must list at least one');
  }
  function overdue(value: unknown): Target['event'] {
    const given = readFields(reading, value, ['target', 'overdue'], { due: 'string', paid: 'string', days: 'number' });
    return {
      kind: 'overdue',
      due: requireText(reading, given.due, ['target', 'overdue', 'due']),
      paid: requireText(reading, given.paid, ['target', 'overdue', 'paid']),
      days: given.days ?? 0,
    };
  }
  let anchors: AnchorLayout | undefined;
  if (fields.anchors !== undefined) {
    const given = readFields(reading, fields.anchors, ['anchors'], { every: 'any', from: 'any', until: 'any' });
    anchors = {
      everyDays: days(given.every ?? '30d', ['anchors', 'every']),
      from: day(given.from, ['anchors', 'from']),
      until: day(given.until, ['anchors', 'until']),
    };
    if (anchors.until < anchors.from) reading.problem(['anchors', 'until'], 'lies before anchors.from');
    const moments = (anchors.until - anchors.from) / microsecondsPerDay / anchors.everyDays;
    if (moments > anchorMomentsMax)
      reading.problem(['anchors', 'every'], `makes ${Math.floor(moments)} moments; at most ${anchorMomentsMax}`);
  } else if (target) reading.problem(['target'], 'needs anchors: {every, from, until}');
  const list = (value: unknown[] | undefined) => (value ?? []).map(String);
  const task: Task = {
    name,
    entity: requireText(reading, fields.entity, ['entity']),
    key: requireText(reading, fields.key, ['key']),
    time: String(fields.time ?? 'date'),
    label: target ? 'label' : requireText(reading, fields.label, ['label']),
    kind: kind ?? 'binary',
    metric: metric ?? 'auroc',
    ...(target
      ? { windowDays: Math.max(...target.horizonsDays) }
      : fields.window === undefined
        ? {}
        : { windowDays: days(fields.window, ['window']) }),
    strict: fields.strict ?? false,
    ...(fields.data_until === undefined ? {} : { dataUntil: day(fields.data_until, ['data_until']) }),
    ignore: list(fields.ignore),
    hide: list(fields.hide),
    ...(target ? { target } : {}),
    ...(anchors ? { anchors } : {}),
  };
  if (reading.problems().length > 0) throw invalid(file, reading.problems());
  return task;
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

/**
 * Checks that what a task names is there. A misspelt `hide` would let the answer in among the questions, so it is no
 * warning. Throws Failure 'invalid'.
 */
export function checkTask(task: Task, contract: Contract, file: string): void {
  const names = contract.tables.map(({ name }) => name).join(', ');
  const refuse = (message: string): never => {
    throw new Failure('invalid', `${file}: ${message}`);
  };
  const tableOf = (name: string) => contract.tables.find((table) => table.name === name);
  if (!tableOf(task.entity)) refuse(`entity ${task.entity} is not a table of the contract (${names})`);
  for (const name of task.ignore) {
    if (!tableOf(name)) refuse(`ignore names ${name}, which is not a table of the contract (${names})`);
    if (name === task.entity) refuse(`ignore names ${name}, which is the entity to predict for`);
  }
  for (const name of task.hide) {
    const [table, column] = name.split(/\.(.*)/s);
    if (!tableOf(table!)?.columns.some((known) => known.name === column))
      refuse(`hide names ${name}, which is not a column of the contract; write table.column`);
  }
}

function invalid(file: string, problems: readonly { at: string; message: string }[]): Failure {
  return new Failure('invalid', `${file} is not a task: ${problems.map((p) => `${p.at}: ${p.message}`).join('; ')}`, {
    problems,
  });
}

/** Days in '30d', '12h', '8w' or a plain number; null when it is none of them or not above zero. */
function parseDays(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(d|h|w|days?)?$/.exec(text.trim());
  if (!match) return null;
  const value = Number(match[1]) * (match[2] === 'h' ? 1 / 24 : match[2] === 'w' ? 7 : 1);
  return value > 0 ? value : null;
}

/** Microseconds at the start of a day given as text, or of a timestamp; NaN when it is neither. */
export function parseDay(value: unknown): number {
  if (value instanceof Date) return value.getTime() * 1000;
  const text = String(value).trim();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return Number.NaN;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : text.length > 10 ? `${text}Z` : text;
  return Date.parse(zoned.replace(' ', 'T')) * 1000;
}

function parseWhere(text: string | undefined, problem: (message: string) => void): Target['event'] {
  if (text === undefined) return { kind: 'any' };
  const match = /^\s*([\w.]+)\s*(=|!=|>=|<=|>|<)\s*(.+?)\s*$/.exec(text);
  if (!match) {
    problem(`must be "column > value" with one of = != > >= < <=, not ${JSON.stringify(text)}`);
    return { kind: 'any' };
  }
  const literal = match[3]!.replace(/^(['"])(.*)\1$/, '$2');
  const quoted = literal !== match[3];
  const value = !quoted && literal !== '' && Number.isFinite(Number(literal)) ? Number(literal) : literal;
  return { kind: 'where', column: match[1]!, is: match[2] as Comparison, value };
}

function parseAggregate(text: string | undefined, problem: (message: string) => void): Target['aggregate'] {
  if (text === undefined || text === 'exists') return 'exists';
  if (text === 'count') return 'count';
  const match = /^sum\((\w+)\)$/.exec(text);
  if (match) return { sum: match[1]! };
  problem(`must be exists, count or sum(column), not ${JSON.stringify(text)}`);
  return 'exists';
}
