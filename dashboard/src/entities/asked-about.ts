import type { Schemas } from '@lastro/sdk';
import type { RecentEntity } from './recent.ts';

/** Whom predictions are about, each once, in their order; without those that are `known` already. */
export function askedAbout(
  predictions: readonly Pick<Schemas['Prediction'], 'entity'>[],
  known: readonly RecentEntity[],
): readonly RecentEntity[] {
  const idOf = ({ table, key }: RecentEntity) => JSON.stringify([table, key]);
  const found = new Map(predictions.flatMap(({ entity }) => (entity ? [[idOf(entity), entity]] : [])));
  for (const one of known) found.delete(idOf(one));
  return [...found.values()];
}
