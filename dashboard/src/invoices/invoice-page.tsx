import { getRouteApi } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { saveResponse } from '../api/save-response.ts';
import { useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Facts, Page, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { pageNames } from '../shell/pages.ts';
import { usageWords } from '../usage/words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { amountOf, priceOf } from './money.ts';
import { invoiceWords } from './words.ts';

const route = getRouteApi('/_app/invoices/$invoice_id');

export function InvoicePage() {
  const w = useWords(invoiceWords);
  const { invoices } = useWords(pageNames);
  const { meters: labels } = useWords(usageWords);
  const format = useFormat();
  const { organizationClient: client } = useSession();
  const { invoice_id: id } = route.useParams();
  const { data, error, refetch } = useData(['invoices', 'one', id], (signal) => client.invoices.get(id, { signal }));
  const back = { label: invoices, to: '/invoices' } as const;
  if (!data)
    return (
      <Page title={invoices} back={back}>
        {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
      </Page>
    );
  const { month, number, status, currency, lines, price_plan: plan } = data;
  return (
    <Page
      title={`${format.month(`${month.slice(0, 7)}-01`)}${number === null ? '' : ` · ${number}`}`}
      back={back}
      description={<Dot tone={status === 'issued' ? 'good' : 'live'}>{w[status]}</Dot>}
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/organization/invoices/${id}`,
              typescript: `lastro.invoices.get('${id}')`,
            }}
          />
          <PrintButton id={id} />
        </>
      }
    >
      <p className="font-semibold text-hero tracking-[-0.045em]">{amountOf(format, data.total_cents, currency)}</p>
      {status === 'draft' && <p className="mb-2 text-body text-ink2">{w.estimate}</p>}
      <div className="mt-4">
        <Facts
          columns={4}
          of={[
            data.billed_to !== null && [w.billedTo, <bdi key="to">{data.billed_to}</bdi>],
            [w.plan, <bdi key="plan">{w.planOf(plan.name, String(plan.version))}</bdi>],
            data.issued_at !== null && [w.issuedAt, format.day(data.issued_at)],
            ['id', <Id key="id" id={id} />],
          ]}
        />
      </div>
      <Section title={w.lines}>
        <Ledger
          label={w.lines}
          rows={lines}
          keyOf={(line) => `${line.meter} ${line.from_unit}`}
          columns={[
            { key: 'item', head: w.item, cell: ({ meter }) => (meter === null ? w.fee : labels[meter]) },
            {
              key: 'tier',
              head: w.tier,
              isMinor: true,
              cell: ({ meter, from_unit: from, up_to: to }) =>
                meter === null
                  ? ''
                  : to === null
                    ? w.unitsOn(format.integer(from))
                    : w.units(format.integer(from), format.integer(to)),
            },
            {
              key: 'quantity',
              head: w.quantity,
              isRight: true,
              cell: ({ meter, quantity }) => (meter === null ? '' : format.integer(quantity)),
            },
            {
              key: 'price',
              head: w.price,
              isRight: true,
              isMinor: true,
              cell: ({ price, per }) =>
                Number(price) === 0
                  ? w.included
                  : per === 1
                    ? priceOf(format, price, currency)
                    : w.perUnits(priceOf(format, price, currency), format.integer(per)),
            },
            {
              key: 'amount',
              head: w.amount,
              isRight: true,
              cell: ({ amount_cents: cents }) => <b className="font-semibold">{amountOf(format, cents, currency)}</b>,
            },
          ]}
        />
        <p className="mt-2 flex justify-end gap-4 px-3 font-semibold text-section">
          <span>{w.total}</span>
          <span>{amountOf(format, data.total_cents, currency)}</span>
        </p>
      </Section>
    </Page>
  );
}

/**
 * The service's own page of the invoice. A link says no organization: whoever is in several has the page as a file.
 */
function PrintButton({ id }: { readonly id: string }) {
  const w = useWords(invoiceWords);
  const { language } = useFormat();
  const { user, organizationClient: client } = useSession();
  const save = useChange(async () => saveResponse(await client.invoices.getPage(id, { language }), `${id}.html`));
  if (user.organizations.length > 1)
    return (
      <Button icon={<Printer size={14} />} isBusy={save.isPending} onClick={() => save.mutate(undefined)}>
        {w.save}
      </Button>
    );
  return (
    <a
      href={`/v1/api/organization/invoices/${id}/html?language=${language}`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass()}
    >
      <Printer size={14} />
      {w.print}
    </a>
  );
}
