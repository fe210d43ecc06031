import type { Schemas } from '@lastro/sdk';
import { useMemo } from 'react';
import { type Days, figuresOf } from '../models/figures.ts';
import { foundOf } from '../models/judge.ts';
import { useVersion, useVersionMetrics } from '../models/use-models.ts';
import { useQuestion } from '../tasks/use-question.ts';

/** How often something came among rows that a version was tested on. */
export type Usual = { readonly share: number } & Cases;
/** Of how many cases something is said, and of which days; null where a version does not say. */
export type Cases = { readonly rows: number; readonly days: Days | null };

/** What the numbers of an answer are about, by field. */
export type About = {
  readonly meanings: ReadonlyMap<string, string>;
  readonly usual: ReadonlyMap<string, Usual>;
  /** The cases that were learned from, by field: those of the average case. */
  readonly learned: ReadonlyMap<string, Cases>;
  /** The codes of what was found of the version on later rows. */
  readonly doubts: ReadonlyMap<string, readonly string[]>;
};

/** What the question of a model says its numbers mean, and how often what it asks about came among tested rows. */
export function useAbout(model: Schemas['Model'] | undefined, versionId: string | undefined): About {
  const question = useQuestion(model?.task_id);
  const { data: metrics } = useVersionMetrics(model?.id, versionId);
  const { data: version } = useVersion(model?.id, versionId);
  return useMemo(
    () => ({
      meanings: new Map(question?.outputs.map(({ name, meaning }) => [name, meaning])),
      usual: usualOf(question, metrics),
      learned: learnedOf(question, metrics),
      doubts: version ? doubtsOf(question, metrics, version) : new Map(),
    }),
    [question, metrics, version],
  );
}

/** The fields of an answer, by the outputs that a version was tested on. */
function fieldsOf(
  question: Schemas['SaidQuestion'] | null,
  metrics: Schemas['ModelMetrics'] | undefined,
): ReadonlyMap<string, string> {
  // Fields of kinds with several answers have names of their own, in the order of the outputs; a score is made of one.
  const said = question?.outputs.filter(({ name }) => name !== 'score') ?? [];
  const fields = said.length === metrics?.outputs.length ? said : [];
  return new Map(metrics?.outputs.map(({ name }, at) => [name, fields[at]?.name ?? name]));
}

function doubtsOf(
  question: Schemas['SaidQuestion'] | null,
  metrics: Schemas['ModelMetrics'] | undefined,
  version: Pick<Schemas['ModelVersion'], 'warnings' | 'metrics'>,
): ReadonlyMap<string, readonly string[]> {
  const fields = fieldsOf(question, metrics);
  const ofScore = figuresOf(version.metrics).find(({ isOfScore }) => isOfScore)?.name;
  const found = new Map<string, string[]>();
  for (const { code, output } of foundOf(version)) {
    if (output === undefined) continue;
    for (const field of [fields.get(output) ?? output, ...(output === ofScore ? ['score'] : [])])
      found.set(field, [...(found.get(field) ?? []), code]);
  }
  return found;
}

function usualOf(
  question: Schemas['SaidQuestion'] | null,
  metrics: Schemas['ModelMetrics'] | undefined,
): ReadonlyMap<string, Usual> {
  const fields = fieldsOf(question, metrics);
  return new Map(
    metrics?.outputs.flatMap(({ name, rows, days, positives, classes }) => {
      const of = (field: string, count: number): [string, Usual][] =>
        rows ? [[field, { share: count / rows, rows, days }]] : [];
      if (positives !== null) return of(fields.get(name) ?? name, positives);
      const prefix = name.replace(/^prediction/, 'probability');
      return classes?.flatMap((one) => of(`${prefix}_${one.name}`, one.rows)) ?? [];
    }),
  );
}

function learnedOf(
  question: Schemas['SaidQuestion'] | null,
  metrics: Schemas['ModelMetrics'] | undefined,
): ReadonlyMap<string, Cases> {
  const fields = fieldsOf(question, metrics);
  return new Map(
    metrics?.outputs.flatMap(({ name, learned, score_histogram: scores }): [string, Cases][] =>
      learned === null
        ? []
        : [fields.get(name) ?? name, ...(scores === null ? [] : ['score'])].map((field) => [field, learned]),
    ),
  );
}
