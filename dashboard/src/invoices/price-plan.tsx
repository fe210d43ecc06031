import type { Schemas } from '@lastro/sdk';
import { Ledger } from '../kit/ledger.tsx';
import { Facts } from '../kit/page.tsx';
import { meters } from '../usage/meter.ts';
import { usageWords } from '../usage/words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { priceOf } from './money.ts';
import { invoiceWords } from './words.ts';

/** What each meter costs, tier by tier, and how much of it may be used. */
export function PricePlan({ plan: { name, version, currency, document } }: { readonly plan: Schemas['PricePlan'] }) {
  const w = useWords(invoiceWords);
  const { meters: labels, quotaNames } = useWords(usageWords);
  const format = useFormat();
  const rows = meters.flatMap((meter) => {
    const price = meter === 'training_runs' ? undefined : document.prices[meter];
    return (price?.tiers ?? []).map((tier, at) => ({
      key: `${meter} ${at}`,
      meter: at === 0 ? labels[meter] : '',
      from: at === 0 ? 1 : (price!.tiers[at - 1].up_to ?? 0) + 1,
      per: price!.per,
      ...tier,
    }));
  });
  const quotas = Object.entries(document.quotas ?? {});
  return (
    <div className="flex flex-col gap-4">
      <Facts
        of={[
          [w.plan, <bdi key="name">{w.planOf(name, String(version))}</bdi>],
          [w.fee, priceOf(format, document.monthly_fee, currency)],
          quotas.length > 0 && [
            w.quotas,
            quotas.map(([resource, quota]) => (
              <span key={resource} className="block">
                {quotaNames[resource as keyof typeof quotaNames]}: {format.integer(quota)}
              </span>
            )),
          ],
        ]}
      />
      {rows.length === 0 && <p className="text-ink2">{w.feeAlone}</p>}
      {rows.length > 0 && (
        <Ledger
          label={w.prices}
          rows={rows}
          keyOf={({ key }) => key}
          columns={[
            { key: 'meter', head: w.item, cell: ({ meter }) => meter },
            {
              key: 'tier',
              head: w.tier,
              cell: ({ from, up_to: to }) =>
                to === null ? w.unitsOn(format.integer(from)) : w.units(format.integer(from), format.integer(to)),
            },
            {
              key: 'price',
              head: w.price,
              isRight: true,
              cell: ({ price, per }) =>
                Number(price) === 0
                  ? w.included
                  : per === 1
                    ? priceOf(format, price, currency)
                    : w.perUnits(priceOf(format, price, currency), format.integer(per)),
            },
          ]}
        />
      )}
    </div>
  );
}
