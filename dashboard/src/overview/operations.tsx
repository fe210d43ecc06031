import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useEventName } from '../events/words.ts';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { usageWords } from '../usage/words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

const shownMost = 6;
const link = 'rounded text-accent underline underline-offset-2';

/** What the workspace has used since the first of the month. */
export function UsageOfMonth() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { client } = useSession();
  const { meters } = useWords(usageWords);
  const { data, error, refetch } = useData(['usage', 'month'], (signal) =>
    client.usage.list({ group_by: 'month', limit: 200 }, { signal }),
  );
  const used = data?.data.filter(({ quantity }) => quantity > 0) ?? [];
  return (
    <Section
      title={w.month}
      actions={
        <Link to="/usage" className={link}>
          {w.toUsage}
        </Link>
      }
    >
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : used.length === 0 ? (
        <p className="text-ink2">{w.unused}</p>
      ) : (
        <Lines>
          {used.map(({ meter, month, quantity }) => (
            <Line key={`${meter} ${month}`} left={meters[meter]} right={<b>{format.integer(quantity)}</b>} />
          ))}
        </Lines>
      )}
    </Section>
  );
}

/** The newest invoices of the organization. */
export function Invoices() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { organizationClient } = useSession();
  const { data, error, refetch } = useData(['invoices', 'newest'], (signal) =>
    organizationClient.invoices.list({ limit: 3 }, { signal }),
  );
  return (
    <Section
      title={w.invoices}
      actions={
        <Link to="/invoices" className={link}>
          {w.toInvoices}
        </Link>
      }
    >
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : data.data.length === 0 ? (
        <p className="text-ink2">{w.noInvoices}</p>
      ) : (
        <Lines>
          {data.data.map(({ id, month, status, currency, total_cents: cents }) => (
            <Line
              key={id}
              left={
                <Link to="/invoices/$invoice_id" params={{ invoice_id: id }} className="rounded hover:underline">
                  {format.month(`${month}-01`)}
                </Link>
              }
              right={
                <>
                  {status === 'draft' ? <span className="text-ink3 text-meta">{w.draft}</span> : <Status of={status} />}{' '}
                  <b>{format.moneyOf(cents / 100, currency)}</b>
                </>
              }
            />
          ))}
        </Lines>
      )}
    </Section>
  );
}

/**
 * The newest entries of the audit log about settings and rights. That they were read is an entry, too: they are not read
 * again by themselves, and that they were read is not told here.
 */
export function Trail() {
  const w = useWords(overviewWords);
  const nameOf = useEventName();
  const { client } = useSession();
  const { data, error, refetch } = useData(['audit-entries', 'newest'], (signal) =>
    client.auditEntries.list({ limit: 50, class: 'admin' }, { signal }),
  );
  const entries = data?.data.filter(({ action }) => action !== 'audit-read').slice(0, shownMost) ?? [];
  return (
    <Section
      title={w.trail}
      actions={
        <Link to="/audit" className={link}>
          {w.toTrail}
        </Link>
      }
    >
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : entries.length === 0 ? (
        <p className="text-ink2">{w.noTrail}</p>
      ) : (
        <Lines>
          {entries.map(({ id, action, actor, recorded_at: at }) => (
            <Line
              key={id}
              left={
                <>
                  <span title={action}>{nameOf(action)}</span>{' '}
                  {actor.label && (
                    <span className="text-ink3 text-meta">
                      <bdi>{w.by(actor.label)}</bdi>
                    </span>
                  )}
                </>
              }
              right={
                <span className="text-ink3 text-meta">
                  <Moment at={at} />
                </span>
              }
            />
          ))}
        </Lines>
      )}
    </Section>
  );
}

function Lines({ children }: { readonly children: ReactNode }) {
  return <ul className="divide-y divide-line border-line border-y">{children}</ul>;
}

function Line({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) {
  return (
    <li className="flex items-baseline justify-between gap-3 py-2">
      <span className="min-w-0 truncate">{left}</span>
      <span className="flex shrink-0 items-baseline gap-3">{right}</span>
    </li>
  );
}
