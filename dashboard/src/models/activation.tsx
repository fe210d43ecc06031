import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { say } from '../kit/toast.tsx';
import { useWords } from '../words/words.ts';
import type { VersionSummary } from './use-models.ts';
import { modelWords } from './words.ts';

/** Lets a version answer, or answer no more. */
export function Activation({ modelId, version }: { readonly modelId: string; readonly version: VersionSummary }) {
  const w = useWords(modelWords);
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const activate = useChange<void, unknown>(() => client.models.versions.activate(modelId, version.id), {
    changes: [['models']],
  });
  const deactivate = useChange<void, unknown>(() => client.models.versions.deactivate(modelId, version.id), {
    changes: [['models']],
    isQuiet: true,
  });
  const label = `v${version.number}`;
  if (version.status === 'inactive')
    return (
      <Button
        size="small"
        isBusy={activate.isPending}
        aria-label={`${w.activate} ${label}`}
        onClick={async () => {
          await activate.mutateAsync();
          say(w.activated(version.number));
        }}
      >
        {w.activate}
      </Button>
    );
  if (version.status !== 'active') return null;
  const needs = version.aliases.length > 0 ? `${version.id}-needs` : undefined;
  return (
    <div className="inline-flex flex-col items-end">
      <Button
        size="small"
        kind="quiet"
        disabled={needs !== undefined}
        aria-label={`${w.deactivate} ${label}`}
        aria-describedby={needs}
        onClick={() => setAsked(true)}
      >
        {w.deactivate}
      </Button>
      {needs && (
        <span id={needs} className="px-2 text-ink3 text-meta leading-4">
          {w.deleteVersionNeeds}
        </span>
      )}
      <Confirm
        title={w.deactivateTitle(version.number)}
        body={w.deactivateBody}
        action={w.deactivate}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await deactivate.mutateAsync();
          say(w.deactivated(version.number));
        }}
      />
    </div>
  );
}
