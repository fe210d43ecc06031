import type { Body, Schemas } from '@lastro/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { say } from '../kit/toast.tsx';
import { wordsNow } from '../words/words.ts';
import type { Ingestion } from './report.ts';
import { dataWords } from './words.ts';

/** Accepts a contract, and goes to the ingestion that brings the data under it. */
export function useAcceptance() {
  const client = useClient();
  const follow = useFollowing();
  return useChange(
    async (id: string) => {
      const accepted = await client.contracts.accept(id);
      await follow(accepted);
      return accepted;
    },
    { changes: [['contracts'], ['ingestions']] },
  );
}

/** Says what accepting a contract did to the data and to the files that asked for it, and goes to see it. */
export function useFollowing() {
  const client = useClient();
  const navigate = useNavigate();
  return async ({
    ingestion_id: asking,
    started_ingestion_id: started,
    tables_to_send_again: again,
  }: Pick<Schemas['AcceptedContract'], 'ingestion_id' | 'started_ingestion_id' | 'tables_to_send_again'>) => {
    const w = wordsNow(dataWords);
    const under = started === null ? null : await client.ingestions.get(started);
    if (again.length > 0) say(w.sendAgain(again.join(', ')), { isBad: true });
    else if (under?.kind === 'delivery') say(w.filesTakenIn(under.files.length));
    else {
      if (under) say(w.startedIngestion);
      else if (asking === null) say(w.acceptedAlone);
      // Of the files that asked for it some have been deleted meanwhile.
      if (asking !== null) say(w.filesGone(tablesOf(await client.ingestions.get(asking))), { isBad: true });
    }
    if (started !== null) await navigate({ to: '/data/ingestions/$ingestion_id', params: { ingestion_id: started } });
  };
}

export const tablesOf = ({ files }: Ingestion): string => [...new Set(files.map(({ table }) => table))].join(', ');

/** Takes the files of an ingestion in once more, under the contract that is active now, and goes to see how. */
export function useTakingAgain() {
  const client = useClient();
  const navigate = useNavigate();
  return useChange(
    async (files: Ingestion['files']) => {
      // What an ingestion had may be asked for again, hence the cast.
      const made = await client.ingestions.create({ files } as Exclude<Body<'ingestions.create'>, FormData>);
      await navigate({ to: '/data/ingestions/$ingestion_id', params: { ingestion_id: made.id }, search: {} });
    },
    { changes: [['ingestions'], ['contracts']] },
  );
}
