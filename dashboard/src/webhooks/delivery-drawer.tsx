import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { useEventName } from '../events/words.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Drawer } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { Failed, Skeleton, useBlock } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { deliveryTones } from './deliveries.tsx';
import { type Attempt, type DeliveryDetail, isRetrying, lookAgainMs } from './webhook.ts';
import { webhookWords } from './words.ts';

/** One delivery: each attempt with what was sent and what came back. */
export function DeliveryDrawer({
  id,
  onClose,
  onOpen,
}: {
  readonly id: string;
  onClose(): void;
  onOpen(id: string): void;
}) {
  const client = useClient();
  const nameOf = useEventName();
  const { data, error, refetch } = useData(
    ['webhooks', 'delivery', id],
    (signal) => client.webhooks.deliveries.get(id, { signal }),
    { everyMs: (delivery) => lookAgainMs(delivery ? [delivery] : [], Date.now()) },
  );
  return (
    <Drawer title={data ? nameOf(data.event_type) : '…'} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : data ? (
        <Detail delivery={data} onOpen={onOpen} />
      ) : (
        <Skeleton />
      )}
    </Drawer>
  );
}

function Detail({ delivery, onOpen }: { readonly delivery: DeliveryDetail; onOpen(id: string): void }) {
  const w = useWords(webhookWords);
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const { id, status, trigger, body, attempts, replay_of: replayOf, next_attempt_at: next } = delivery;
  const block = useBlock('manage_webhooks');
  const replay = useChange(() => client.webhooks.deliveries.replay(id), { changes: [['webhooks']], isQuiet: true });
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Facts
        columns={2}
        of={[
          [
            w.status,
            <Dot key="status" tone={deliveryTones[status]}>
              {isRetrying(delivery) ? w.retrying : w[status]}
            </Dot>,
          ],
          [w.trigger, trigger === 'recover' ? w.recovered : w[trigger]],
          [w.when, <Moment key="at" at={delivery.created_at} isExact />],
          delivery.finished_at !== null && [w.finished, <Moment key="end" at={delivery.finished_at} isExact />],
          next !== null && [w.next, <Moment key="next" at={next} isExact />],
          ['id', <Id key="id" id={id} />],
          [w.message, <Id key="message" id={delivery.message_id} />],
          replayOf !== null && [
            w.replayOf,
            <button
              key="replay"
              type="button"
              className="text-accent underline underline-offset-2"
              onClick={() => onOpen(replayOf)}
            >
              …{replayOf.slice(-6)}
            </button>,
          ],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Button disabled={body === null} blocked={block} onClick={() => setAsked(true)}>
          {w.replay}
        </Button>
        <CodeButton
          request={{
            method: 'POST',
            path: `/v1/api/webhook-deliveries/${id}/replay`,
            typescript: `lastro.webhooks.deliveries.replay('${id}')`,
          }}
        />
      </div>
      <section aria-label={w.details} className="flex min-w-0 flex-col gap-2">
        {attempts.toReversed().map((attempt, at) => (
          <AttemptDetail key={attempt.number} attempt={attempt} delivery={delivery} isOpen={at === 0} />
        ))}
      </section>
      <section className="min-w-0">
        <h3 className="mb-1 font-semibold text-section">{w.body}</h3>
        {body === null ? <p className="text-ink2">{w.expired}</p> : <CodeBlock label={w.body} code={indented(body)} />}
      </section>
      <Confirm
        title={w.replayTitle}
        body={w.replayBody}
        action={w.replay}
        isDanger={false}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          const again = await replay.mutateAsync(undefined);
          say(w.replayed);
          onOpen(again.id);
        }}
      />
    </div>
  );
}

function AttemptDetail({
  attempt,
  delivery,
  isOpen,
}: {
  readonly attempt: Attempt;
  readonly delivery: DeliveryDetail;
  readonly isOpen: boolean;
}) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const { number, succeeded, status_code: code, error, error_class: kind, total_ms: ms } = attempt;
  const headers = Object.entries(attempt.response_headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <details open={isOpen} className="min-w-0 rounded-[6px] border border-line">
      <summary className="flex flex-wrap items-center justify-between gap-x-3 px-3 py-1.5">
        <Dot tone={succeeded ? 'good' : 'bad'}>
          {w.attempt(format.integer(number))} · {code ?? kind}
        </Dot>
        <span className="text-ink2 text-meta">
          <Moment at={attempt.started_at} /> · {format.duration(ms)}
        </span>
      </summary>
      <div className="flex min-w-0 flex-col gap-3 border-line border-t px-3 py-2">
        {error !== null && <p className="break-words text-bad">{error}</p>}
        <Timings attempt={attempt} />
        <div className="min-w-0">
          <h3 className="mb-1 font-medium text-body">{w.request}</h3>
          <CodeBlock label={w.request} code={requestOf(attempt, delivery, w.unsigned)} />
        </div>
        <div className="min-w-0">
          <h3 className="mb-1 font-medium text-body">{w.response}</h3>
          {code === null ? (
            <p className="text-ink2">{w.noResponse}</p>
          ) : (
            <CodeBlock
              label={`${w.response} ${number}`}
              code={[`HTTP ${code}`, ...headers, '', attempt.response_body ?? ''].join('\n').trimEnd()}
            />
          )}
        </div>
      </div>
    </details>
  );
}

/** The request as it was sent; its signatures are kept nowhere. */
function requestOf(attempt: Attempt, delivery: DeliveryDetail, signature: string): string {
  return [
    `POST ${attempt.url}`,
    'content-type: application/json',
    `webhook-id: ${delivery.message_id}`,
    `webhook-timestamp: ${Math.floor(Date.parse(attempt.started_at) / 1000)}`,
    `webhook-signature: v1,… (${signature})`,
    `webhook-delivery-id: ${delivery.id}`,
    `webhook-attempt: ${attempt.number}`,
    `webhook-trigger: ${delivery.trigger}`,
  ].join('\n');
}

/** How long each step of the request took, one after the other. */
function Timings({ attempt }: { readonly attempt: Attempt }) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const { dns_ms: dns, connect_ms: connect, tls_ms: tls, first_byte_ms: first, total_ms: total } = attempt;
  const steps = [
    [w.dns, dns],
    [w.connect, connect],
    [w.tls, tls],
    [w.firstByte, first],
    [w.total, total],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-meta">
      {steps.map(
        ([label, ms]) =>
          ms !== null && (
            <div key={label} className="flex gap-1.5">
              <dt className="text-ink3">{label}</dt>
              <dd>{format.duration(ms)}</dd>
            </div>
          ),
      )}
      {attempt.remote_ip !== null && (
        <div className="flex gap-1.5">
          <dt className="text-ink3">IP</dt>
          <dd className="font-mono">{attempt.remote_ip}</dd>
        </div>
      )}
    </dl>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
