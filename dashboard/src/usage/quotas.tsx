import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { CodeButton } from '../kit/code.tsx';
import { Moment } from '../kit/moment.tsx';
import { Failed } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { usageWords } from './words.ts';

/** From this share of a quota on its bar warns. */
const warnedFrom = 0.8;

/** What the workspace may use, have at once and ask for in a second, and how much of it is used. Nothing without any. */
export function Quotas() {
  const w = useWords(usageWords);
  const format = useFormat();
  const { client } = useSession();
  const { data, error, refetch } = useData(['quotas'], (signal) => client.quotas.list({ signal }));
  if (error) return <Failed error={error} onRetry={() => refetch()} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-label={w.quotas} className="mt-8">
      <div className="mb-2 flex items-center gap-2">
        <h2 className="font-semibold text-section">{w.quotas}</h2>
        <span className="flex-1" />
        <CodeButton request={{ method: 'GET', path: '/v1/api/quotas', typescript: 'lastro.quotas.list()' }} />
      </div>
      <ul className="divide-y divide-line rounded-[8px] border border-line bg-panel">
        {data.data.map(({ resource, of, period, limit, used, resets_at: resets }) => {
          const share = used === null ? null : limit === 0 ? 1 : Math.min(1, used / limit);
          return (
            <li
              key={`${resource} ${of}`}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_32%_240px]"
            >
              <span className="min-w-0">
                {w.quotaNames[resource]}
                <span className="block text-ink3 text-meta">
                  {w.quotaOf[of]} · {w.quotaPeriods[period]}
                  {resets !== null && (
                    <>
                      {' · '}
                      {w.resets} <Moment at={resets} />
                    </>
                  )}
                </span>
              </span>
              <span className="hidden h-2 rounded-[2px] bg-sunken sm:block" aria-hidden="true">
                {share !== null && (
                  <span
                    className={`block h-2 rounded-[2px] ${share >= 1 ? 'bg-bad' : share >= warnedFrom ? 'bg-warn' : 'bg-accent'}`}
                    style={{ width: `${100 * share}%` }}
                  />
                )}
              </span>
              <span className="text-right">
                {used === null
                  ? w.upTo(format.integer(limit))
                  : w.usedOf(format.integer(used), format.integer(limit), format.percent(share ?? 0))}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
