import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { AliasTag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { useWords, wordsNow } from '../words/words.ts';
import { compareWords } from './compare-words.ts';
import type { VersionEvent, VersionSummary } from './use-models.ts';
import { versionBefore } from './version-before.ts';
import { modelWords } from './words.ts';

/** Where an alias points and pointed before, with the way back. */
export function AliasLine({
  modelId,
  alias,
  versionId,
  versions,
  events,
}: {
  readonly modelId: string;
  readonly alias: string;
  readonly versionId: string;
  readonly versions: readonly VersionSummary[];
  readonly events: readonly VersionEvent[];
}) {
  const w = useWords(modelWords);
  const client = useClient();
  const { can } = useSession();
  const [asked, setAsked] = useState<'back' | 'remove' | null>(null);
  const now = versions.find(({ id }) => id === versionId);
  const before = versionBefore(events, alias, versionId, versions);
  const rollBack = useRollBack(modelId);
  // Only from where the page says that it points: what was before that is no way back from elsewhere.
  const rollBackFromHere = useChange(
    async (to: VersionSummary) => {
      const { data, response } = await client.models.aliases.get(modelId, alias).withResponse();
      if (data.version_id !== versionId) return say(wordsNow(compareWords).conflict(alias), { isBad: true });
      await rollBack.mutateAsync({ alias, to, ifMatch: response.headers.get('etag') ?? '*' });
    },
    { changes: [['models']], isQuiet: true },
  );
  const remove = useChange<void, unknown>(() => client.models.aliases.delete(modelId, alias), {
    changes: [['models']],
    isQuiet: true,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <AliasTag alias={alias} />
      {now && (
        <Link
          to="/models/$model_id/versions/$version_id"
          params={{ model_id: modelId, version_id: now.id }}
          className="font-medium underline-offset-2 hover:underline"
        >
          {w.pointsAt(now.number)}
        </Link>
      )}
      {before && <span className="text-ink3">{w.before(before.number)}</span>}
      <span className="ml-auto flex gap-1">
        {before && can('manage_aliases') && (
          <Button size="small" icon={<Undo2 size={13} />} onClick={() => setAsked('back')}>
            {w.rollBack}
          </Button>
        )}
        {can('manage_aliases') && (
          <Button size="small" kind="quiet" aria-label={`${w.removeAlias} ${alias}`} onClick={() => setAsked('remove')}>
            {w.removeAlias}
          </Button>
        )}
      </span>
      {before && (
        <Confirm
          title={w.rollBackTitle(alias, before.number)}
          action={w.rollBack}
          isDanger={false}
          isOpen={asked === 'back'}
          onClose={() => setAsked(null)}
          onConfirm={() => rollBackFromHere.mutateAsync(before)}
        />
      )}
      <Confirm
        title={w.removeAliasTitle(alias)}
        body={w.removeAliasBody}
        action={w.removeAlias}
        typed={alias}
        isOpen={asked === 'remove'}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await remove.mutateAsync();
          say(w.aliasRemoved(alias));
        }}
      />
    </li>
  );
}

/** Sets an alias back to a version that had it, while it is what the ETag `ifMatch` says. */
export function useRollBack(modelId: string) {
  const client = useClient();
  return useChange(
    async ({
      alias,
      to,
      ifMatch,
    }: {
      readonly alias: string;
      readonly to: { readonly id: string; readonly number: number };
      readonly ifMatch: string;
    }) => {
      await client.models.aliases.set(modelId, alias, { version_id: to.id }, { ifMatch });
      say(wordsNow(modelWords).rolledBack(alias, to.number));
    },
    { changes: [['models']] },
  );
}
