import type { Body } from '@lastro/sdk';
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
  const navigate = useNavigate();
  return useChange(
    async (id: string) => {
      const accepted = await client.contracts.accept(id);
      await follow(accepted, navigate);
      return accepted;
    },
    { changes: [['contracts'], ['ingestions']] },
  );
}

/** What accepting a contract did to the data. */
type Adoption = { readonly started_ingestion_id: string | null; readonly tables_to_send_again: readonly string[] };

export async function follow(
  { started_ingestion_id: started, tables_to_send_again: again }: Adoption,
  navigate: ReturnType<typeof useNavigate>,
): Promise<void> {
  const w = wordsNow(dataWords);
  if (again.length > 0) say(w.sendAgain(again.join(', ')), { isBad: true });
  else say(started === null ? w.acceptedAlone : w.startedIngestion.replace(/:$/, '.'));
  if (started !== null) await navigate({ to: '/data/ingestions/$ingestion_id', params: { ingestion_id: started } });
}

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
