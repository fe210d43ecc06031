import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Delivery, isRetrying } from './webhook.ts';
import { webhookWords } from './words.ts';

const shown = 30;
const colors: Readonly<Record<Delivery['status'], string>> = {
  succeeded: 'bg-good',
  failed: 'bg-bad',
  queued: 'bg-line2',
  running: 'bg-line2',
  skipped: 'bg-line',
  canceled: 'bg-line',
};

/** How the last deliveries of a webhook went, the newest on the right. */
export function Health({ id }: { readonly id: string }) {
  const client = useClient();
  const { data } = useData(['webhooks', id, 'health'], (signal) =>
    client.webhooks.deliveries.list(id, { limit: shown }, { signal }),
  );
  return data ? <HealthOf deliveries={data.data} /> : null;
}

function HealthOf({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const tried = deliveries.filter((one) => one.status === 'succeeded' || one.status === 'failed' || isRetrying(one));
  const arrived = tried.filter(({ status }) => status === 'succeeded').length;
  if (deliveries.length === 0) return <span className="text-ink3">{w.nothingSent}</span>;
  const said = tried.length === 0 ? '—' : format.percent(arrived / tried.length);
  return (
    <span className="inline-flex items-center gap-2" role="img" aria-label={w.arrived(said)}>
      <span className="flex h-3.5 items-stretch gap-px" aria-hidden="true">
        {deliveries.toReversed().map((one) => (
          <span key={one.id} className={`w-[3px] rounded-[1px] ${isRetrying(one) ? 'bg-warn' : colors[one.status]}`} />
        ))}
      </span>
      <span className="text-ink2 text-meta">{said}</span>
    </span>
  );
}
