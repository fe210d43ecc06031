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

/** Models by id, to say their names. */
export function useModels() {
  const { data } = useModelList();
  return useMemo(() => data && new Map(data.data.map((model) => [model.id, model])), [data]);
}

/** The name of an evaluated version: `credit · production`. */
export function nameOf(
  { model_id: model, version_id: version, alias }: Evaluated,
  models: ReadonlyMap<string, { readonly name: string }> | undefined,
): string {
  return `${models?.get(model)?.name ?? model} · ${alias ?? `…${version.slice(-6)}`}`;
}
