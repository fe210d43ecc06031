import type { Schemas } from '@lastro/sdk';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm, Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { hasPasskeys, registerPasskey } from './passkey.ts';
import { accountWords } from './words.ts';

type Passkey = Schemas['Passkey'];

/** What signs the person in without a password. */
export function Passkeys() {
  const w = useWords(accountWords);
  const c = useWords(common);
  const list = useData(['passkeys'], (signal) => accountClient().passkeys.list({ signal }));
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Passkey | null>(null);
  const remove = useChange((id: string) => accountClient().passkeys.delete(id), {
    changes: [['passkeys']],
    isQuiet: true,
  });
  return (
    <Section
      title={w.passkeys}
      description={w.passkeysBody}
      actions={
        <Button
          icon={<KeyRound size={14} />}
          blocked={hasPasskeys() ? null : w.passkeysHere}
          onClick={() => setNaming('new')}
        >
          {w.addPasskey}
        </Button>
      }
    >
      <Panel>
        {list.isError ? (
          <Failed error={list.error} onRetry={() => list.refetch()} />
        ) : !list.data ? (
          <div className="px-4">
            <Skeleton rows={2} />
          </div>
        ) : list.data.data.length === 0 ? (
          <p className="p-4 text-body text-ink2">{w.passkeysNone}</p>
        ) : (
          <ul className="divide-y divide-line">
            {list.data.data.map((passkey) => (
              <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
                <span className="min-w-0">
                  <span className="block truncate font-medium">
                    <bdi>{passkey.name}</bdi>
                  </span>
                  <span className="text-ink3 text-meta">
                    {c.created} <Moment at={passkey.created_at} /> · {w.lastUsed} <Moment at={passkey.last_used_at} />
                    {passkey.backed_up && ` · ${w.backedUp}`}
                  </span>
                </span>
                <span className="flex gap-2">
                  <Button size="small" onClick={() => setNaming(passkey)}>
                    {c.rename}
                  </Button>
                  <Button size="small" kind="danger" onClick={() => setDeleted(passkey)}>
                    {c.delete}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {naming && <Naming of={naming} onClose={() => setNaming(null)} />}
      <Confirm
        title={w.deletePasskey}
        body={w.deletePasskeyBody(deleted?.name ?? '')}
        action={w.deletePasskey}
        isOpen={deleted !== null}
        onClose={() => setDeleted(null)}
        onConfirm={() => remove.mutateAsync(deleted!.id)}
      />
    </Section>
  );
}

/** Names a new passkey, or one that is there anew. */
function Naming({ of, onClose }: { readonly of: Passkey | 'new'; onClose(): void }) {
  const w = useWords(accountWords);
  const c = useWords(common);
  const [name, setName] = useState(of === 'new' ? '' : of.name);
  const save = useChange(
    async (name: string) => {
      if (of !== 'new') await accountClient().passkeys.rename(of.id, { name });
      else if (await registerPasskey(name)) say(w.passkeyAdded);
      onClose();
    },
    { changes: [['passkeys']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(name.trim());
  };
  return (
    <Dialog title={of === 'new' ? w.addPasskey : c.rename} isOpen onClose={onClose} width="max-w-md">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={w.passkeyName}>
          <Input required autoFocus maxLength={300} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        {save.error && <Refusal error={save.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={save.isPending} disabled={name.trim() === ''}>
            {of === 'new' ? w.addPasskey : c.save}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
