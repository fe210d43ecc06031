import type { Schemas } from '@lastro/sdk';
import { useMemo } from 'react';
import { useSession } from '../api/session.tsx';
import { useModelList } from '../models/use-models.ts';

export type Evaluation = Schemas['Evaluation'];
export type Evaluated = Schemas['EvaluatedModel'];

/** An evaluation needs a file with labels: one that is sent, or one that was. */
export function useMayEvaluate(): boolean {
  const { can } = useSession();
  return can('create_batches') && (can('upload_files') || can('view_files'));
}

export const isUnderWay = ({ status }: Pick<Evaluation, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** The longest horizon, which a credit score is made of; else the first output. */
export function mainOutput<T extends { readonly name: string }>(outputs: readonly T[]): T | undefined {
  return outputs.findLast(({ name }) => /^pd_\d+d$/.test(name)) ?? outputs[0];
}

/** The output that is shown first: of those of which rows were measured, if there are some. */
export function firstShown(outputs: readonly Schemas['EvaluatedOutput'][]): Schemas['EvaluatedOutput'] | undefined {
  return mainOutput(outputs.filter(({ later, all }) => later !== null || all !== null)) ?? mainOutput(outputs);
}

/** Whether most of the rows of a result were learned from, or may have been; null where that is not most of them. */
export function memoryOf({ learned }: NonNullable<Evaluation['result']>): 'memory' | 'mayBeMemory' | null {
  if (learned === null || 2 * learned.rows <= learned.of) return null;
  return 2 * (learned.matched ?? 0) > learned.of ? 'memory' : 'mayBeMemory';
}

/** Models by id, to say their names. */
export function useModels() {
  const { data } = useModelList();
  return useMemo(() => data && new Map(data.data.map((model) => [model.id, model])), [data]);
}

/** The name of an evaluated version: `credit · v3`, or by the alias that was asked: `credit · production`. */
export function nameOf(
  { model_id: model, version_id: version, alias, number }: Evaluated,
  models: ReadonlyMap<string, { readonly name: string }> | undefined,
): string {
  return `${models?.get(model)?.name ?? model} · ${alias ?? (number === undefined ? `…${version.slice(-6)}` : `v${number}`)}`;
}
