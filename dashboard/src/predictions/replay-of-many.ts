import type { Schemas } from '@lastro/sdk';
import { useCallback } from 'react';
import { useModelNames } from '../models/use-models.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { replaysWords } from './replays-words.ts';

export type Replay = Schemas['Replay'];

export const isUnderWay = ({ status }: Pick<Replay, 'status'>): boolean => status === 'queued' || status === 'running';

/** How many cannot be answered again, whatever is gone. */
export const goneOf = ({ gone }: Pick<Replay, 'gone'>): number =>
  Object.values(gone).reduce((sum, count) => sum + count, 0);

/** Says in words what was asked to be replayed. */
export function useSayAsked(): (replay: Replay) => string {
  const w = useWords(replaysWords);
  const format = useFormat();
  const names = useModelNames();
  return useCallback(
    ({ asked: { predictions, batch_id: batch }, origin }) => {
      if (batch !== undefined) return `${w.batch} …${batch.slice(-6)}`;
      const { ids, from, to, model_id: model } = predictions ?? {};
      if (ids) return (origin === 'self_check' ? w.sampleOf : w.someOf)(format.integer(ids.length));
      // The end is the first moment that is not of it.
      const last = to && format.day(new Date(Date.parse(to) - 1));
      const span = from
        ? last
          ? w.between(format.day(from), last)
          : w.since(format.day(from))
        : last && w.before(last);
      return [span ?? w.all, ...(model ? [names.get(model) ?? model] : [])].join(' · ');
    },
    [w, format, names],
  );
}

/** Says who had it done. */
export function useSayBy(): (replay: Replay) => string {
  const w = useWords(replaysWords);
  return useCallback(({ origin, created_by: by }) => (origin === 'self_check' ? w.nightly : by), [w]);
}
