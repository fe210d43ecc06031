import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { Split } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { Failed, Skeleton, useBlock } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { say } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { Deliveries } from './deliveries.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { Recover } from './recover.tsx';
import { Secrets } from './secrets.tsx';
import { Settings } from './settings.tsx';
import { keepSecret, useToldSecret } from './told-secret.ts';
import { VerifyCode } from './verify-code.tsx';
import type { Webhook } from './webhook.ts';
import { type WebhookSearch, webhookTabs } from './webhook-search.ts';
import { webhookWords } from './words.ts';

const route = getRouteApi('/_app/webhooks/$webhook_id');

export function WebhookPage() {
  const { webhooks: title } = useWords(pageNames);
  const client = useClient();
  const { webhook_id: id } = route.useParams();
  const { data, error, refetch } = useData(['webhooks', id, 'one'], (signal) => client.webhooks.get(id, { signal }));
  if (data) return <Loaded webhook={data} />;
  return (
    <Page title={title} back={{ label: title, to: '/webhooks' }}>
      {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
    </Page>
  );
}

function Loaded({ webhook }: { readonly webhook: Webhook }) {
  const w = useWords(webhookWords);
  const { webhooks: title } = useWords(pageNames);
  const client = useClient();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/webhooks/$webhook_id' });
  const told = useToldSecret(webhook.id);
  const { id, url, description, status, created_at: at } = webhook;
  const { tab = 'deliveries', open } = search;
  const set = (change: Partial<WebhookSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const block = useBlock('manage_webhooks');
  const test = useChange(() => client.webhooks.sendTest(id), { changes: [['webhooks', id]] });
  return (
    <Split
      drawer={
        open && (
          <DeliveryDrawer
            key={open}
            id={open}
            onClose={() => set({ open: undefined })}
            onOpen={(other) => set({ open: other })}
          />
        )
      }
    >
      <Page
        isWide
        tab={url}
        title={<span className="break-all font-mono text-section">{url}</span>}
        back={{ label: title, to: '/webhooks' }}
        description={
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Dot tone={status === 'active' ? 'good' : 'quiet'}>{w[status]}</Dot>
            {description && <bdi className="min-w-0 break-words">{description}</bdi>}
            <Copy text={id} shown={`whk_…${id.slice(-6)}`} />
            <Moment at={at} />
          </span>
        }
        actions={
          <>
            <CodeButton
              request={{
                method: 'GET',
                path: `/v1/api/webhooks/${id}/deliveries`,
                typescript: `lastro.webhooks.deliveries.list('${id}')`,
              }}
            />
            <Button
              isBusy={test.isPending}
              disabled={status === 'disabled'}
              blocked={block}
              onClick={() =>
                test.mutate(undefined, {
                  onSuccess: (delivery) => {
                    say(w.testSent);
                    set({ tab: undefined, open: delivery.id });
                  },
                })
              }
            >
              {w.sendTest}
            </Button>
          </>
        }
      >
        {told && (
          <Secret
            key={told.secret}
            title={told.isRotated ? w.rotated : w.created}
            secret={told.secret}
            onDone={() => keepSecret(null)}
          />
        )}
        {status === 'disabled' && <DisabledNotice webhook={webhook} />}
        <Tabs
          label={title}
          tabs={webhookTabs.map((value) => ({ value, label: w[value] }))}
          value={tab}
          onValue={(value) => set({ tab: value === 'deliveries' ? undefined : value })}
        >
          {tab === 'deliveries' && <Deliveries webhook={webhook} search={search} onSearch={set} />}
          {tab === 'settings' && <Settings key={webhook.id} webhook={webhook} />}
          {tab === 'secrets' && <Secrets webhook={webhook} />}
          {tab === 'recover' && <Recover webhook={webhook} />}
          {tab === 'verify' && <VerifyCode />}
        </Tabs>
      </Page>
    </Split>
  );
}

function DisabledNotice({ webhook: { id, disabled_reason: reason, disabled_at: at } }: { readonly webhook: Webhook }) {
  const w = useWords(webhookWords);
  const client = useClient();
  const block = useBlock('manage_webhooks');
  const enable = useChange(() => client.webhooks.update(id, { status: 'active' }), { changes: [['webhooks']] });
  const why = reason === 'requested' || reason === 'gone' || reason === 'failing' ? w[reason] : reason;
  return (
    <div role="status" className="mb-4 flex flex-wrap items-center gap-3 rounded-[6px] bg-warn-soft px-3 py-2">
      <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1">
        <b className="font-medium">{w.disabledTitle}</b> {why} (<Moment at={at} />) {w.thenRecover}
      </p>
      <Button isBusy={enable.isPending} blocked={block} onClick={() => enable.mutate(undefined)}>
        {w.enable}
      </Button>
    </div>
  );
}
