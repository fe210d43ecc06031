import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button, type ButtonProps } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { say } from '../kit/toast.tsx';
import { useWords } from '../words/words.ts';
import type { VersionSummary } from './use-models.ts';
import { modelWords } from './words.ts';

/** Lets a version answer, or answer no more. */
export function Activation({
  modelId,
  version,
  size,
}: {
  readonly modelId: string;
  readonly version: VersionSummary;
  readonly size?: ButtonProps['size'];
}) {
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
        size={size}
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
  return (
    <>
      <Button
        size={size}
        kind={size === 'small' ? 'quiet' : 'secondary'}
        blocked={version.aliases.length > 0 && w.deleteVersionNeeds}
        aria-label={`${w.deactivate} ${label}`}
        onClick={() => setAsked(true)}
      >
        {w.deactivate}
      </Button>
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
    </>
  );
}
