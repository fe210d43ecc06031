import type { Schemas } from '@lastro/sdk';
import { useMemo } from 'react';
import { useVersionMetrics } from '../models/use-models.ts';
import { useQuestion } from '../tasks/use-question.ts';

/** How often something came among rows that a version was tested on. */
export type Usual = { readonly share: number; readonly rows: number };

/** What the numbers of an answer are about, by field. */
export type About = {
  readonly meanings: ReadonlyMap<string, string>;
  readonly usual: ReadonlyMap<string, Usual>;
};

/** What the question of a model says its numbers mean, and how often what it asks about came among tested rows. */
export function useAbout(model: Schemas['Model'] | undefined, versionId: string | undefined): About {
  const question = useQuestion(model?.task_id);
  const { data: metrics } = useVersionMetrics(model?.id, versionId);
  return useMemo(
    () => ({
      meanings: new Map(question?.outputs.map(({ name, meaning }) => [name, meaning])),
      usual: usualOf(question, metrics),
    }),
    [question, metrics],
  );
}

function usualOf(
  question: Schemas['SaidQuestion'] | null,
  metrics: Schemas['ModelMetrics'] | undefined,
): ReadonlyMap<string, Usual> {
  // Fields of kinds with several answers have names of their own, in the order of the outputs; a score is made of one.
  const said = question?.outputs.filter(({ name }) => name !== 'score') ?? [];
  const fields = said.length === metrics?.outputs.length ? said : [];
  return new Map(
    metrics?.outputs.flatMap(({ name, rows, positives, classes }, at) => {
      const of = (field: string, count: number): [string, Usual][] =>
        rows ? [[field, { share: count / rows, rows }]] : [];
      if (positives !== null) return of(fields[at]?.name ?? name, positives);
      const prefix = name.replace(/^prediction/, 'probability');
      return classes?.flatMap((one) => of(`${prefix}_${one.name}`, one.rows)) ?? [];
    }),
  );
}
