import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useData, useLiveList } from '../api/use-data.ts';
import { useEventName } from '../events/words.ts';
import { Button } from '../kit/button.tsx';
import { Select } from '../kit/field.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Live } from '../kit/live.tsx';
import { Moment } from '../kit/moment.tsx';
import { Empty, NothingFound } from '../kit/states.tsx';
import { Dot, type Tone } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type DeliveryStatus, deliveryStatuses } from './delivery-status.ts';
import { FailureChart } from './failure-chart.tsx';
import { type Delivery, isRetrying, lookAgainMs, type Webhook } from './webhook.ts';
import type { WebhookSearch } from './webhook-search.ts';
import { webhookWords } from './words.ts';

const pageSize = 200;
const liveEveryMs = 2_000;

export const deliveryTones: Readonly<Record<DeliveryStatus, Tone>> = {
  succeeded: 'good',
  failed: 'bad',
  queued: 'quiet',
  running: 'live',
  skipped: 'quiet',
  canceled: 'quiet',
};

/** What was sent to a webhook, or waits to be. */
export function Deliveries({
  webhook: { id },
  search: { status, event, live, open },
  onSearch,
}: {
  readonly webhook: Webhook;
  readonly search: WebhookSearch;
  onSearch(change: Partial<WebhookSearch>): void;
}) {
  const w = useWords(webhookWords);
  const c = useWords(common);
  const client = useClient();
  const nameOf = useEventName();
  const filter = { ...(status ? { status } : {}), ...(event ? { event_type: event } : {}) };
  const list = useLiveList(
    ['webhooks', id, 'deliveries', filter],
    (cursor, signal) =>
      client.webhooks.deliveries.list(id, { ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    live ? liveEveryMs : false,
    { everyMs: (rows) => lookAgainMs(rows, Date.now()) },
  );
  const catalog = useData(['event-types'], (signal) => client.eventTypes.list({ signal }));
  const columns = useColumns();
  const isFiltered = Object.keys(filter).length > 0;
  const clear = () => onSearch({ status: undefined, event: undefined });
  return (
    <>
      <div className="mb-3 flex flex-wrap gap-2">
        <Select
          data-filter
          aria-label={w.status}
          className="!w-44"
          value={status ?? ''}
          options={[
            { value: '', label: w.allStatuses },
            ...deliveryStatuses.map((value) => ({ value, label: w[value] })),
          ]}
          onValue={(value) => onSearch({ status: value === '' ? undefined : (value as DeliveryStatus) })}
        />
        <Select
          aria-label={w.event}
          className="!w-64"
          value={event ?? ''}
          options={[
            { value: '', label: w.allEventTypes },
            ...(catalog.data?.data
              .filter(({ webhook }) => webhook)
              .map(({ name }) => ({ value: name, label: nameOf(name) })) ?? []),
          ]}
          onValue={(value) => onSearch({ event: value || undefined })}
        />
        {isFiltered && (
          <Button kind="quiet" onClick={clear}>
            {c.clearFilters}
          </Button>
        )}
        <span className="flex-1" />
        <Live isOn={live === true} onChange={(isOn) => onSearch({ live: isOn || undefined })} />
        <ExportButton name="deliveries.csv" list={list} columns={columns} />
      </div>
      <ListTable
        list={list}
        label={w.deliveries}
        columns={columns}
        keyOf={(one) => one.id}
        chosen={open}
        onOpen={(one) => onSearch({ open: one.id })}
        height="max-h-[calc(100dvh-360px)]"
        above={!status && <FailureChart deliveries={list.rows} />}
        empty={isFiltered ? <NothingFound onClear={clear} /> : <Empty title={w.noDelivery}>{w.noDeliveryBody}</Empty>}
      />
    </>
  );
}

function useColumns(): readonly Column<Delivery>[] {
  const w = useWords(webhookWords);
  const format = useFormat();
  const nameOf = useEventName();
  return useMemo(
    () => [
      {
        key: 'created_at',
        head: w.when,
        width: '120px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
      {
        key: 'event_type',
        head: w.event,
        width: 'minmax(130px, 2fr)',
        cell: ({ event_type: type }) => <span title={type}>{nameOf(type)}</span>,
        below: ({ created_at: at }) => <Moment at={at} />,
        text: ({ event_type: type }) => type,
      },
      {
        key: 'status',
        head: w.status,
        width: '144px',
        cell: (one) => <Dot tone={deliveryTones[one.status]}>{isRetrying(one) ? w.retrying : w[one.status]}</Dot>,
        text: ({ status }) => status,
      },
      {
        key: 'attempt_count',
        head: w.attempts,
        width: '88px',
        isRight: true,
        isMinor: true,
        cell: ({ attempt_count: count }) => format.integer(count),
        text: ({ attempt_count: count }) => count,
      },
      {
        key: 'trigger',
        head: w.trigger,
        width: '108px',
        isMinor: true,
        cell: ({ trigger }) => (trigger === 'recover' ? w.recovered : w[trigger]),
        text: ({ trigger }) => trigger,
      },
      {
        key: 'next_attempt_at',
        head: w.next,
        width: '128px',
        isMinor: true,
        // What is held back while the webhook is paused is due since long, and says nothing of when it goes out.
        cell: ({ next_attempt_at: at }) => (at === null || Date.parse(at) < Date.now() ? '' : <Moment at={at} />),
        text: ({ next_attempt_at: at }) => at,
      },
    ],
    [w, format, nameOf],
  );
}
