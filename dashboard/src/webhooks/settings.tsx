import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Refusal, useBlock } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { bodyOf, draftOf } from './draft.ts';
import type { Webhook } from './webhook.ts';
import { WebhookFields } from './webhook-form.tsx';
import { webhookWords } from './words.ts';

export function Settings({ webhook }: { readonly webhook: Webhook }) {
  const w = useWords(webhookWords);
  const c = useWords(common);
  const client = useClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => draftOf(webhook));
  const [asked, setAsked] = useState<'disable' | 'delete' | null>(null);
  const { id, url, status } = webhook;
  const block = useBlock('manage_webhooks');
  const options = { changes: [['webhooks']], isQuiet: true };
  const save = useChange(() => client.webhooks.update(id, bodyOf(draft)), options);
  const setStatus = useChange((to: Webhook['status']) => client.webhooks.update(id, { status: to }), options);
  const remove = useChange(() => client.webhooks.delete(id), { changes: [['webhooks', 'list']], isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined, {
      onSuccess: (saved) => {
        setDraft(draftOf(saved));
        say(w.saved);
      },
    });
  };
  return (
    <>
      <form onSubmit={submit} className="flex max-w-2xl min-w-0 flex-col gap-4">
        <WebhookFields draft={draft} headerNames={webhook.header_names} onDraft={setDraft} />
        {save.isError && <Refusal error={save.error} />}
        <div className="flex flex-wrap gap-2">
          <Button submits kind="primary" isBusy={save.isPending} blocked={block} disabled={draft.events.length === 0}>
            {c.save}
          </Button>
          <CodeButton
            request={{
              method: 'PATCH',
              path: `/v1/api/webhooks/${id}`,
              body: bodyOf(draft),
              typescript: `lastro.webhooks.update('${id}', ${JSON.stringify(bodyOf(draft))})`,
            }}
          />
          <span className="flex-1" />
          {status === 'active' ? (
            <Button blocked={block} onClick={() => setAsked('disable')}>
              {w.disable}
            </Button>
          ) : (
            <Button isBusy={setStatus.isPending} blocked={block} onClick={() => setStatus.mutate('active')}>
              {w.enable}
            </Button>
          )}
          <Button kind="danger" blocked={block} onClick={() => setAsked('delete')}>
            {w.delete}
          </Button>
        </div>
      </form>
      {/* Outside of the form: a submit in a dialog rises through it to where it is rendered. */}
      <Confirm
        title={w.disableTitle}
        body={w.disableBody}
        action={w.disable}
        isOpen={asked === 'disable'}
        onClose={() => setAsked(null)}
        onConfirm={() => setStatus.mutateAsync('disabled')}
      />
      <Confirm
        title={w.delete}
        body={w.deleteBody}
        action={c.delete}
        typed={new URL(url).host}
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined);
          say(c.deleted);
          await navigate({ to: '/webhooks' });
        }}
      />
    </>
  );
}
