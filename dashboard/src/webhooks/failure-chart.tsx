import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Delivery } from './webhook.ts';
import { webhookWords } from './words.ts';

const barsMost = 40;
/** Of fewer, the list says it all. */
const deliveriesLeast = 20;

/** How many of the deliveries arrived and how many failed, in equal spans of time from the oldest to the newest. */
export function FailureChart({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const ended = deliveries.filter(({ status }) => status === 'succeeded' || status === 'failed');
  if (ended.length < deliveriesLeast) return null;
  const failed = ended.filter(({ status }) => status === 'failed').length;
  const bars = barsOf(ended);
  const most = Math.max(...bars.map(({ arrived, failed }) => arrived + failed));
  const summary = w.failures(format.integer(failed), format.integer(ended.length));
  return (
    <figure className="mb-4 min-w-0">
      <div className="flex h-12 items-end gap-px border-line border-b" role="img" aria-label={summary}>
        {bars.map(({ start, arrived, failed }) => (
          <div
            key={start}
            className="flex min-w-0 flex-1 flex-col justify-end"
            title={`${format.dateTime(new Date(start))}: ${arrived} + ${failed}`}
          >
            <div className="bg-bad" style={{ height: `${(46 * failed) / most}px` }} />
            <div className="bg-good/60" style={{ height: `${(46 * arrived) / most}px` }} />
          </div>
        ))}
      </div>
      <figcaption className="mt-1 flex justify-between gap-2 text-ink3 text-meta">
        <span>{format.dateTime(new Date(bars[0].start))}</span>
        <span className={failed > 0 ? 'text-bad' : ''}>{summary}</span>
      </figcaption>
    </figure>
  );
}

function barsOf(deliveries: readonly Delivery[]) {
  const moments = deliveries.map(({ created_at: at }) => Date.parse(at));
  const first = Math.min(...moments);
  const length = Math.max(1, (Math.max(...moments) - first + 1) / barsMost);
  const bars = Array.from({ length: barsMost }, (_, at) => ({ start: first + at * length, arrived: 0, failed: 0 }));
  for (const [at, { status }] of deliveries.entries()) {
    const bar = bars[Math.min(barsMost - 1, Math.floor((moments[at] - first) / length))];
    if (status === 'failed') bar.failed++;
    else bar.arrived++;
  }
  return bars;
}
