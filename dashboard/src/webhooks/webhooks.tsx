import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, Refusal, useBlock } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { bodyOf, emptyDraft } from './draft.ts';
import { Health } from './health.tsx';
import { keepSecret } from './told-secret.ts';
import type { Webhook } from './webhook.ts';
import { WebhookFields } from './webhook-form.tsx';
import { webhookWords } from './words.ts';

const route = getRouteApi('/_app/webhooks/');
const pageSize = 100;

export function Webhooks() {
  const w = useWords(webhookWords);
  const { webhooks: title } = useWords(pageNames);
  const client = useClient();
  const { create: isCreating } = route.useSearch();
  const navigate = useNavigate({ from: '/webhooks/' });
  const list = useList(['webhooks', 'list'], (cursor, signal) =>
    client.webhooks.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const columns = useColumns();
  const block = useBlock('manage_webhooks');
  const open = (isOpen: boolean) =>
    navigate({ search: (before) => ({ ...before, create: isOpen || undefined }), replace: true });
  const create = (
    <Button kind="primary" blocked={block} onClick={() => open(true)}>
      {w.create}
    </Button>
  );
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton request={{ method: 'GET', path: '/v1/api/webhooks', typescript: 'lastro.webhooks.list()' }} />
          <ExportButton name="webhooks.csv" list={list} columns={columns} />
          {create}
        </>
      }
    >
      <ListTable
        list={list}
        label={title}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/webhooks/$webhook_id', params: { webhook_id: id } })}
        empty={
          <Empty title={w.first} action={create}>
            <p className="mb-3">{w.firstBody}</p>
            <div className="text-left">
              <CodeBlock
                code={`curl -s '${location.origin}/v1/api/webhooks' \\\n  -H "Authorization: Bearer $LASTRO_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"url": "https://hooks.example.com/lastro", "events": ["batch-lifecycle"]}'`}
              />
            </div>
          </Empty>
        }
      />
      <Dialog title={w.create} isOpen={isCreating === true} onClose={() => open(false)} width="max-w-2xl">
        <NewWebhook onClose={() => open(false)} />
      </Dialog>
    </Page>
  );
}

/** Its secret is told on the page of the webhook, to which the answer leads. */
function NewWebhook({ onClose }: { onClose(): void }) {
  const c = useWords(common);
  const client = useClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(emptyDraft);
  const create = useChange(() => client.webhooks.create(bodyOf(draft)), { changes: [['webhooks']], isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, {
      onSuccess: ({ id, secret }) => {
        if (secret !== null) keepSecret({ webhookId: id, secret, isRotated: false });
        void navigate({ to: '/webhooks/$webhook_id', params: { webhook_id: id } });
      },
    });
  };
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      <WebhookFields draft={draft} onDraft={setDraft} />
      {create.isError && <Refusal error={create.error} />}
      <DialogFoot>
        <CodeButton
          request={{
            method: 'POST',
            path: '/v1/api/webhooks',
            body: bodyOf(draft),
            typescript: `lastro.webhooks.create(${JSON.stringify(bodyOf(draft))})`,
          }}
        />
        <Button onClick={onClose}>{c.cancel}</Button>
        <Button submits kind="primary" isBusy={create.isPending} disabled={draft.events.length === 0}>
          {c.create}
        </Button>
      </DialogFoot>
    </form>
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const w = useWords(webhookWords);
  const c = useWords(common);
  const format = useFormat();
  return useMemo(() => {
    const eventsOf = ({ events }: Webhook) =>
      events.includes('*') ? w.allEvents : events.length === 1 ? events[0] : w.chosen(format.integer(events.length));
    return [
      {
        key: 'url',
        head: w.url,
        width: 'minmax(160px, 2.2fr)',
        cell: ({ url }) => (
          <span className="font-mono text-meta" title={url}>
            {url}
          </span>
        ),
        below: ({ status, description }) => (
          <>
            <Dot tone={status === 'active' ? 'good' : 'quiet'}>{w[status]}</Dot>
            {description && (
              <>
                {' · '}
                <bdi>{description}</bdi>
              </>
            )}
          </>
        ),
        text: ({ url }) => url,
      },
      {
        key: 'description',
        head: w.note,
        width: 'minmax(100px, 1.2fr)',
        isMinor: true,
        cell: ({ description }) => <bdi>{description}</bdi>,
        text: ({ description }) => description,
      },
      {
        key: 'events',
        head: w.events,
        width: 'minmax(120px, 1fr)',
        isMinor: true,
        cell: eventsOf,
        text: ({ events }) => events.join(' '),
      },
      { key: 'health', head: w.health, width: '200px', isMinor: true, cell: ({ id }) => <Health id={id} /> },
      {
        key: 'status',
        head: w.status,
        width: '112px',
        isMinor: true,
        cell: ({ status }) => <Dot tone={status === 'active' ? 'good' : 'quiet'}>{w[status]}</Dot>,
        text: ({ status }) => status,
      },
      {
        key: 'created_at',
        head: c.created,
        width: '120px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
    ];
  }, [w, c, format]);
}
