import type { Reading } from '../contract/yaml.ts';
import type { HeadRule } from '../kinds/kind.ts';
import { headRulesOf, type KindName, kinds } from '../kinds/kinds.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import { readAnchors } from './parse-anchors.ts';
import { parseQuery } from './parse-query.ts';
import { readQuestion, unreadable } from './parse-question.ts';
import type { Question } from './target.ts';
import type { TaskHead } from './task.ts';
import { inQuery, type TaskFields } from './task-fields.ts';

type Heads = { readonly kind: KindName; readonly heads: readonly TaskHead[]; readonly question?: Partial<Question> };

/** Reads the heads of a task; undefined for kinds without heads. */
export function readHeads(reading: Reading, fields: TaskFields, names: readonly string[]): Heads | undefined {
  const kind = kinds.find(({ name }) => name === fields.kind)?.name;
  const rules = kind === undefined ? [] : headRulesOf(kind);
  if (kind === undefined || rules.length === 0) {
    for (const field of ['targets', 'labels'] as const)
      if (fields[field] !== undefined) reading.problem([field], { code: 'headed_alone', kinds: headedKinds });
    return undefined;
  }
  const [first] = rules;
  if (fields.targets !== undefined) {
    for (const field of ['query', 'target', 'delinquency', 'label', 'labels'] as const)
      if (fields[field] !== undefined) reading.problem([field], { code: 'excluded', other: 'targets' });
    return readTargets(reading, fields, kind, rules, names);
  }
  if (fields.query !== undefined || fields.target !== undefined || fields.delinquency !== undefined) {
    const { kind: _, ...rest } = fields;
    const given = fields.query === undefined ? { ...rest, kind: first!.objective } : rest;
    const question = readQuestion(reading, given, names);
    if (question?.kind !== undefined && question.kind !== first!.objective)
      reading.problem(['query'], `what is predicted must be a yes or no: ${first!.about}`);
    const head = { name: first!.name, kind: first!.objective, label: '', target: question?.target ?? unreadable };
    return { kind, heads: [head], question: { ...withoutDefault(fields, question), kind } };
  }
  const columns = readNamed(reading, 'labels', fields.labels ?? { [first!.name]: fields.label }, kind, rules);
  const heads = columns.map(({ rule: { name, objective }, value }) => {
    if (typeof value !== 'string' || value === '')
      reading.problem(['labels', name], 'must name a column of the labels');
    return { name, kind: objective, label: String(value) };
  });
  return { kind, heads };
}

const headedKinds = kinds.filter(({ learns }) => 'heads' in learns).map(({ name }) => name);

/** Reads a target for each head. All heads use the anchors of the first. */
function readTargets(
  reading: Reading,
  fields: TaskFields,
  kind: KindName,
  rules: readonly HeadRule[],
  names: readonly string[],
): Heads {
  const heads: TaskHead[] = [];
  let question: Partial<Question> = {};
  for (const { rule, value } of readNamed(reading, 'targets', fields.targets, kind, rules)) {
    const path = ['targets', rule.name];
    const natural = askedOf(rule);
    const asked =
      typeof value === 'string'
        ? inQuery(reading, path, (file) => parseQuery(value, file, names))
        : readQuestion(reading, { ...fields, kind: natural, target: value }, names, path);
    if (!asked) continue;
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
    heads.push({ name: rule.name, kind: rule.objective, label: '', target: asked.target ?? unreadable });
  }
  return { kind, heads, question: { target: unreadable, ...question } };
}

/** The objective that the target of a head must have: classes are made from the change of a number. */
function askedOf({ objective }: HeadRule): ObjectiveKind {
  return objective === 'multiclass' ? 'regression' : objective;
}

/** Reads a map from head names to values, in the order of the rules. */
function readNamed(reading: Reading, field: string, value: unknown, kind: KindName, rules: readonly HeadRule[]) {
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(given))
    if (!rules.some((rule) => rule.name === name))
      reading.problem([field, name], { code: 'no_head', kind, heads: rules.map((rule) => rule.name) });
  for (const { name, about, required } of rules)
    if (required && given[name] === undefined) reading.problem([field], `must say ${name}: ${about}`);
  return rules.flatMap((rule) => (given[rule.name] === undefined ? [] : [{ rule, value: given[rule.name] }]));
}

/**
 * Drops the default population. Leads have no past rows of the target: all known ones are asked about, unless the task
 * gives a population.
 */
function withoutDefault(fields: TaskFields, question: Partial<Question> | undefined): Partial<Question> {
  if (fields.population !== undefined || fields.query !== undefined) return { ...question };
  const { population: _, ...rest } = question ?? {};
  return rest;
}

/** Reads the anchors of the task, which apply to all heads even when a head is a query. */
function anchorsOfTask(reading: Reading, fields: TaskFields): Partial<Question> {
  return fields.anchors === undefined ? {} : { anchors: readAnchors(reading, fields.anchors) };
}
