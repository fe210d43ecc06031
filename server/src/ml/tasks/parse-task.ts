import { Failure } from '../../lib/failure.ts';
import { type Reading, readFields, readYaml, requireText } from '../contract/yaml.ts';
import { horizonNamesOf } from '../kinds/kinds.ts';
import { defaultMetric, readMetric } from './metric.ts';
import { readHeads } from './parse-heads.ts';
import { isQuery, parseQuery } from './parse-query.ts';
import { readQuestion } from './parse-question.ts';
import { readSteering } from './parse-steering.ts';
import { horizonsOf, type Question } from './target.ts';
import type { Task } from './task.ts';
import { readDay, readDays, readKind, taskFields } from './task-fields.ts';

/** Most fields that are looked through for unknown ones to be named. */
const unreadMax = 100;

/**
 * Reads a definition: YAML, or a query on its own. Throws one Failure 'invalid' whose problems name line and path.
 * `resolveTask` adds what follows from the contract, whose tables and columns may be given as `names`: they tell
 * what was meant by a name that lacks its quotes.
 */
export function parseTask(text: string, name: string, file: string, names: readonly string[] = []): Task {
  return parse(text, name, file, null, names);
}

/**
 * Reads a definition that was accepted when it was stored. Fields that are unknown are left out and named in
 * `warnings`: there may be some from a time when they were accepted. Throws as `parseTask`.
 */
export function parseStoredTask(text: string, name: string, file: string, warnings: string[] = []): Task {
  return parse(text, name, file, warnings, []);
}

/** `unread`: where unknown fields of the definition are named; null when they are errors. */
function parse(text: string, name: string, file: string, unread: string[] | null, names: readonly string[]): Task {
  if (isQuery(text)) return taskOf(name, parseQuery(text, file, names), {});
  const reading = readYaml(text);
  if (reading.problems().length === 0 && (typeof reading.value !== 'object' || Array.isArray(reading.value)))
    reading.problem(
      [],
      'must be a map of fields such as entity, key, label and kind, or a query that starts with PREDICT',
    );
  if (reading.problems().length > 0) throw invalid(file, reading);
  const given = Object.entries((reading.value ?? {}) as Record<string, unknown>);
  const read = unread === null ? given : given.filter(([field]) => Object.hasOwn(taskFields, field));
  for (const [field] of given.slice(0, unreadMax))
    if (!Object.hasOwn(taskFields, field)) unread?.push(`${file}: the field ${field} is not used`);
  const fields = readFields(reading, Object.fromEntries(read), [], taskFields);
  const heads = readHeads(reading, fields, names);
  const question = heads ? heads.question : readQuestion(reading, fields, names);
  // When the query cannot be read, the other fields cannot be checked either.
  if (fields.query !== undefined && question?.entity === undefined) throw invalid(file, reading);
  // A target has had its kind read.
  const kind = heads?.kind ?? question?.kind ?? (question?.target ? undefined : readKind(reading, fields));
  const metric = readMetric(reading, fields.metric, kind);
  const list = (value: unknown[] | undefined) => (value ?? []).map(String);
  const rest = {
    key: question?.target ? (fields.key ?? '') : requireText(reading, fields.key, ['key']),
    time: String(fields.time ?? 'date'),
    strict: fields.strict ?? false,
    ...(fields.data_until === undefined ? {} : { dataUntil: readDay(reading, fields.data_until, ['data_until']) }),
    ignore: list(fields.ignore),
    hide: list(fields.hide),
    ...(fields.outcome !== undefined && { outcome: readOutcome(reading, fields.outcome) }),
    ...(metric ? { metric } : {}),
    ...(fields.known !== undefined && { known: readKnown(reading, fields.known, question) }),
    ...(fields.trust !== undefined && { trust: list(fields.trust) }),
    ...readSteering(reading, fields),
    ...(heads ? { heads: heads.heads } : {}),
  };
  if (question?.target && kind === undefined) throw invalid(file, reading);
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
  const horizons = horizonNamesOf(task.kind);
  if (horizons && task.windowDays === undefined)
    reading.problem(['window'], `is missing: ${task.kind} says ${horizons.about}`);
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

/** Reads the field `known`. Labels made from the tables refuse it: they are known when their window has closed. */
function readKnown(reading: Reading, column: string, question: Partial<Question> | undefined): string {
  if (question?.target) reading.problem(['known'], { code: 'of_label_files' });
  return column;
}

/** Reads the field `outcome`: a column, or a list of them. */
function readOutcome(reading: Reading, value: unknown): readonly string[] {
  const columns = Array.isArray(value) ? value : [value];
  if (columns.every((column) => typeof column === 'string' && column !== '')) return columns;
  reading.problem(['outcome'], 'must be a column of the table that is predicted for, or a list of such columns');
  return [];
}

function invalid(file: string, reading: Reading): Failure {
  const problems = reading.problems();
  return new Failure('invalid', `${file} is not a task: ${problems.map((p) => `${p.at}: ${p.message}`).join('; ')}`, {
    problems,
  });
}
