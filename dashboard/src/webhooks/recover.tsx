import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { clockIn, momentIn } from '../kit/day.ts';
import { Field, Input } from '../kit/field.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Refusal, useBlock } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import type { Webhook } from './webhook.ts';
import { webhookWords } from './words.ts';

type Recovery = Schemas['WebhookRecovery'];

const everyMs = 1_500;
const dayMs = 24 * 60 * 60_000;
const isOpen = ({ status }: Recovery): boolean => status === 'queued' || status === 'running';

/** Sends again what never arrived: counts first, and sends after a look at that. */
export function Recover({ webhook: { id, status } }: { readonly webhook: Webhook }) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const client = useClient();
  const timeZone = useTimeZone();
  const [since, setSince] = useState(() => clockIn(timeZone, Date.now() - dayMs).slice(0, 'yyyy-mm-ddThh:mm'.length));
  const moment = momentIn(timeZone, since);
  const block = useBlock('manage_webhooks');
  const count = useChange(() => client.webhooks.recoveries.create(id, { since: moment!, dry_run: true }), {
    isQuiet: true,
  });
  const start = useChange(() => client.webhooks.recoveries.create(id, { since: moment! }), {
    changes: [['webhooks', id]],
    isQuiet: true,
  });
  const list = useList(
    ['webhooks', id, 'recoveries'],
    (cursor, signal) => client.webhooks.recoveries.list(id, cursor ? { cursor } : {}, { signal }),
    { everyMs: (rows) => (rows.some(isOpen) ? everyMs : false) },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    count.mutate(undefined);
  };
  const counted = count.data;
  const refusal = count.error ?? start.error;
  return (
    <div className="max-w-2xl">
      <p className="mb-3 text-ink2">{w.recoverBody}</p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field label={w.since}>
          <Input
            type="datetime-local"
            required
            value={since}
            onChange={(event) => {
              setSince(event.target.value);
              count.reset();
              start.reset();
            }}
          />
        </Field>
        <Button submits isBusy={count.isPending} blocked={block} disabled={moment === null}>
          {w.count}
        </Button>
        <CodeButton
          request={{
            method: 'POST',
            path: `/v1/api/webhooks/${id}/recoveries`,
            body: { since: moment },
            typescript: `lastro.webhooks.recoveries.create('${id}', { since: '${moment}' })`,
          }}
        />
      </form>
      <div aria-live="polite" className="mt-3 flex flex-col items-start gap-2">
        {counted && !start.isSuccess && (
          <>
            <p className="font-semibold text-section">
              {counted.total === 0 ? w.foundNone : w.found(format.integer(counted.total))}
            </p>
            {counted.expired > 0 && <p className="text-ink2">{w.expiredOnes(format.integer(counted.expired))}</p>}
            {counted.total > 0 && (
              <Button
                kind="primary"
                isBusy={start.isPending}
                disabled={status === 'disabled'}
                onClick={() => start.mutate(undefined)}
              >
                {w.start}
              </Button>
            )}
          </>
        )}
        {refusal && <Refusal error={refusal} />}
      </div>
      {list.rows.length > 0 && (
        <Section title={w.recoveries}>
          <Panel>
            <ul className="divide-y divide-line">
              {list.rows.map((recovery) => (
                <RecoveryRow key={recovery.id} recovery={recovery} />
              ))}
            </ul>
          </Panel>
          <MoreButton list={list} />
        </Section>
      )}
    </div>
  );
}

function RecoveryRow({ recovery }: { readonly recovery: Recovery }) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const { status, since, total, queued, expired, failure, created_at: at } = recovery;
  const said = w.recoveryProgress(format.integer(queued), format.integer(total));
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <span>
          {w.since} <Moment at={since} isExact />
        </span>
        <Status of={status} />
      </div>
      {isOpen(recovery) && <Progress label={said} share={total === 0 ? null : Math.min(1, queued / total)} />}
      <div className="flex flex-wrap justify-between gap-x-4 text-ink2 text-meta">
        <span>
          {said}
          {expired > 0 && ` · ${w.expiredOnes(format.integer(expired))}`}
        </span>
        <Moment at={at} />
      </div>
      {failure && <p className="break-words text-bad text-meta">{failure.detail}</p>}
    </li>
  );
}
