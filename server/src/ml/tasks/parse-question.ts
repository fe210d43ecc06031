import { type Reading, requireText } from '../contract/yaml.ts';
import type { Condition } from './condition.ts';
import { tellMistake } from './mistakes.ts';
import { readAnchors } from './parse-anchors.ts';
import { parseCondition } from './parse-condition.ts';
import { parseQuery } from './parse-query.ts';
import { readDelinquency, readTarget } from './parse-target.ts';
import { questionProblem } from './question.ts';
import type { Delinquency, FutureRows, Question } from './target.ts';
import { inQuery, readKind, type TaskFields } from './task-fields.ts';

/**
 * Reads the question in `query`, `target` or `delinquency`; undefined when labels come in files.
 * `names`: see `parseTask`.
 */
export function readQuestion(
  reading: Reading,
  fields: TaskFields,
  names: readonly string[],
  path = ['target'],
): Partial<Question> | undefined {
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
      if (fields[field] !== undefined) reading.problem([field], { code: 'said_by_query' });
    return inQuery(reading, ['query'], (file) => parseQuery(fields.query!, file, names));
  }
  if (fields.target === undefined && fields.delinquency === undefined) {
    if (fields.population !== undefined) reading.problem(['population'], { code: 'without_target' });
    return undefined;
  }
  if (fields.target !== undefined && fields.delinquency !== undefined)
    reading.problem(['delinquency'], { code: 'excluded', other: 'target' });
  const entity = requireText(reading, fields.entity, ['entity']);
  const target =
    fields.target !== undefined
      ? readTarget(reading, fields.target, fields.window, path)
      : readDelinquency(reading, fields.delinquency, entity);
  const kind = fields.kind === undefined && fields.delinquency !== undefined ? 'binary' : readKind(reading, fields);
  const anchors = fields.anchors === undefined ? undefined : readAnchors(reading, fields.anchors);
  const problem = target && questionProblem(target, target.horizonsDays, anchors, kind);
  if (problem) {
    const { message, because } = tellMistake(problem.mistake);
    const at = problem.of === 'horizons' ? (fields.target === undefined ? ['delinquency'] : path) : [problem.of];
    reading.problem(at, message, because);
  }
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

/** Stands in for a target that could not be read and is reported as a problem. */
export const unreadable: FutureRows = { kind: 'rows', table: '', aggregate: 'exists', horizonsDays: [1] };

/** The default population: those who had a row of the target table by the anchor. */
function populationOf(target: FutureRows | Delinquency): Condition | undefined {
  if (!target.horizonsDays) return undefined;
  const { table, reference } = target;
  return { kind: 'past', rows: { table, ...(reference ? { reference } : {}) } };
}
