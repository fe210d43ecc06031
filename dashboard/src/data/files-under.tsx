import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import type { Contract } from './contract.ts';
import { IngestionLink } from './ingestion-link.tsx';
import { ingestionWords } from './ingestion-words.ts';
import { type Ingestion, isOpen } from './report.ts';
import { tablesOf, useTakingAgain } from './use-acceptance.ts';

/** The newest ingestions among which files are looked for. */
const looked = 50;
const openEveryMs = 2_000;

/** Of the active contract: what is being taken in under it now, and what was refused before it and waits still. */
export function useFilesUnder(contract: Contract) {
  const client = useClient();
  return useData(
    ['ingestions', 'under', contract.id],
    async (signal) => {
      const found = (await client.ingestions.list({ limit: looked }, { signal })).data;
      const waiting: Ingestion[] = [];
      for (const one of waitingOf(found, contract)) {
        const asked = await client.contracts.get(one.proposed_contract_id!, { signal });
        if (asked.status !== 'rejected') waiting.push(one);
      }
      return { open: found.filter(isOpen), waiting };
    },
    {
      isOn: contract.status === 'active',
      everyMs: (now) => (now && now.open.length > 0 ? openEveryMs : false),
    },
  );
}

export function FilesUnder({ files }: { readonly files: ReturnType<typeof useFilesUnder>['data'] }) {
  const w = useWords(ingestionWords);
  const { can } = useSession();
  const again = useTakingAgain();
  const { open = [], waiting = [] } = files ?? {};
  if (open.length + waiting.length === 0) return null;
  return (
    <ul className="mt-4 flex flex-col gap-1 rounded-[8px] border border-line bg-panel px-4 py-2" aria-live="polite">
      {open.map(({ id, kind, files }) => (
        <li key={id}>
          {kind === 'reread' ? w.rereadNow : w.filesComing(files.length)} <IngestionLink id={id} />
        </li>
      ))}
      {waiting.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span>{w.filesWait(one.files.length, tablesOf(one))}</span>
          <IngestionLink id={one.id} />
          {can('upload_files') && (
            <Button size="small" isBusy={again.isPending} onClick={() => again.mutate(one.files)}>
              {w.takeAgain}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Refused for want of another contract than the one they met, and not sent again since. `found`: newest first. */
function waitingOf(found: readonly Ingestion[], { id, accepted_at: accepted }: Contract): readonly Ingestion[] {
  return found.filter(
    ({ status, contract_id: under, proposed_contract_id: proposed, created_at: created, files }, at) =>
      status === 'refused' &&
      proposed !== null &&
      under !== id &&
      created < accepted! &&
      !found
        .slice(0, at)
        .some((later) => later.files.some((file) => files.some((own) => own.file_id === file.file_id))),
  );
}
