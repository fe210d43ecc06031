import { NotFoundError } from '@lastro/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../api/session.tsx';
import { useData, useList } from '../api/use-data.ts';
import { CodeButton } from '../kit/code.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Page, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Invoice } from './invoice.ts';
import { amountOf } from './money.ts';
import { PricePlan } from './price-plan.tsx';
import { invoiceWords } from './words.ts';

export function Invoices() {
  const w = useWords(invoiceWords);
  const { invoices: title } = useWords(pageNames);
  const format = useFormat();
  const { organizationClient: client } = useSession();
  const navigate = useNavigate();
  const list = useList(['invoices', 'list'], (cursor, signal) =>
    client.invoices.list(cursor ? { cursor } : {}, { signal }),
  );
  const plan = useData(['invoices', 'plan'], async (signal) => {
    try {
      return await client.pricePlan.get({ signal });
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  });
  const columns = useColumns();
  const running = list.rows.find(({ status }) => status === 'draft');
  return (
    <Page
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton
            request={{ method: 'GET', path: '/v1/api/organization/invoices', typescript: 'lastro.invoices.list()' }}
          />
          <ExportButton name="invoices.csv" list={list} columns={columns} />
        </>
      }
    >
      {running && (
        <div className="mb-5">
          <p className="text-body text-ink2">{w.soFar}</p>
          <p className="font-semibold text-hero tracking-[-0.045em]">
            {amountOf(format, running.total_cents, running.currency)}
          </p>
        </div>
      )}
      <ListTable
        list={list}
        label={title}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/invoices/$invoice_id', params: { invoice_id: id } })}
        empty={<Empty title={w.first}>{plan.data === null ? w.noPlan : w.firstBody}</Empty>}
      />
      <Section title={w.plan}>
        {plan.isError ? (
          <Failed error={plan.error} onRetry={() => plan.refetch()} />
        ) : plan.isPending ? (
          <Skeleton rows={3} />
        ) : plan.data ? (
          <PricePlan plan={plan.data} />
        ) : (
          <p className="text-ink2">{w.noPlan}</p>
        )}
      </Section>
    </Page>
  );
}

function useColumns(): readonly Column<Invoice>[] {
  const w = useWords(invoiceWords);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'month',
        head: w.month,
        width: 'minmax(110px, 1fr)',
        cell: ({ month }) => <span className="font-medium">{format.month(`${month.slice(0, 7)}-01`)}</span>,
        text: ({ month }) => month,
      },
      {
        key: 'number',
        head: w.number,
        width: 'minmax(120px, 1fr)',
        isMinor: true,
        cell: ({ number }) => <span className="font-mono text-meta">{number ?? '—'}</span>,
        text: ({ number }) => number,
      },
      {
        key: 'status',
        head: w.status,
        width: 'minmax(96px, 140px)',
        cell: ({ status }) => <Dot tone={status === 'issued' ? 'good' : 'live'}>{w[status]}</Dot>,
        text: ({ status }) => status,
      },
      {
        key: 'price_plan',
        head: w.plan,
        width: 'minmax(120px, 1fr)',
        isMinor: true,
        cell: ({ price_plan: { name, version } }) => <bdi>{w.planOf(name, String(version))}</bdi>,
        text: ({ price_plan: { name } }) => name,
      },
      {
        key: 'total',
        head: w.total,
        width: '132px',
        isRight: true,
        cell: ({ total_cents: cents, currency }) => (
          <b className="font-semibold">{amountOf(format, cents, currency)}</b>
        ),
        text: ({ total_cents: cents }) => cents / 100,
      },
    ],
    [w, format],
  );
}
