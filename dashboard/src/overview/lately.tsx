import { useMemo, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { PathLink } from '../kit/path-link.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { useModelNames } from '../models/use-models.ts';
import { pathOfId } from '../shell/path-of-id.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { eventTypes, type Happening, happeningsOf } from './happenings.ts';
import { overviewWords } from './words.ts';

const dayMs = 24 * 60 * 60_000;
const refreshMs = 15_000;
const shownMost = 8;
/** Models that a line names. */
const namesMost = 2;
/** As many as are likely to make as many lines. */
const readMost = 100;

/** What happened that somebody should know of: of that, what the reader may read. */
export function Lately() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { client } = useSession();
  const [since] = useState(() => new Date(Date.now() - 30 * dayMs).toISOString());
  const { data, error, refetch } = useData(
    ['events', 'lately'],
    async (signal) => {
      const type = eventTypes.join(',');
      return (await client.events.list({ type, since, newest_first: true, limit: readMost }, { signal })).data;
    },
    { everyMs: () => refreshMs },
  );
  const told = useMemo(() => data && happeningsOf(data, format.day).slice(0, shownMost), [data, format]);
  return (
    <Section title={w.lately}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !told ? (
        <Skeleton rows={4} />
      ) : told.length === 0 ? (
        <p className="text-ink2">{w.latelyNone}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {told.map((happening) => (
            <li key={happening.event.id} className="flex items-baseline justify-between gap-3 py-2">
              <Said happening={happening} />
              <span className="shrink-0 text-ink3 text-meta">
                <Moment at={happening.event.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Said({ happening: { kind, event, count, models: ids } }: { readonly happening: Happening }) {
  const w = useWords(overviewWords);
  const format = useFormat();
  const models = useModelNames();
  const { can } = useSession();
  const {
    resource_id: id,
    data: { alias, name },
  } = event;
  // A run that failed has no model, and is known by its task.
  const tasks = kind === 'training-run-failure' && count === 1 && typeof name === 'string' ? [name] : [];
  const names = [...ids.flatMap((id) => models.get(id) ?? []), ...tasks];
  const rest = names.length - namesMost;
  const listed = rest > 0 ? [...names.slice(0, namesMost), w.others(format.integer(rest))] : names;
  const tag = typeof alias === 'string' && <AliasTag alias={alias} />;
  const said = (
    <>
      {count === 1 ? (
        <>
          {w.events[kind]}
          {tag && <> {tag}</>}
        </>
      ) : (
        <>
          {tag} {w.eventsMany[kind](format.integer(count))}
        </>
      )}
      {names.length > 0 && (
        <>
          {': '}
          <bdi className="font-medium">{format.list(listed)}</bdi>
        </>
      )}
    </>
  );
  // Several have a list; of what has none the newest one stands for the others.
  const path = !can('view_models')
    ? null
    : ids.length > 0
      ? names.length === 0
        ? null
        : ids.length === 1
          ? `/models/${ids[0]}`
          : '/models'
      : count > 1 && id.startsWith('con_')
        ? '/data?tab=contracts'
        : pathOfId(id);
  return path ? (
    <PathLink path={path} className="min-w-0 break-words rounded hover:underline">
      {said}
    </PathLink>
  ) : (
    <span className="min-w-0 break-words">{said}</span>
  );
}
