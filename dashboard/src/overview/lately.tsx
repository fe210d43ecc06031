import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { PathLink } from '../kit/path-link.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { useModelNames } from '../models/use-models.ts';
import { pathOfId } from '../shell/path-of-id.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

type Event = Schemas['Event'];

const dayMs = 24 * 60 * 60_000;
const refreshMs = 15_000;
const shownMost = 8;

/** What happened that somebody should know of: of that, what the reader may read. */
export function Lately() {
  const w = useWords(overviewWords);
  const { client } = useSession();
  const [since] = useState(() => new Date(Date.now() - 30 * dayMs).toISOString());
  const { data, error, refetch } = useData(
    ['events', 'lately'],
    async (signal) => {
      const type = Object.keys(overviewWords.en.events).join(',');
      return (await client.events.list({ type, since, newest_first: true, limit: shownMost }, { signal })).data;
    },
    { everyMs: () => refreshMs },
  );
  return (
    <Section title={w.lately}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : data.length === 0 ? (
        <p className="text-ink2">{w.latelyNone}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {data.map((event) => (
            <li key={event.id} className="flex items-baseline justify-between gap-3 py-2">
              <Said event={event} />
              <span className="shrink-0 text-ink3 text-meta">
                <Moment at={event.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Said({ event: { type, resource_id: id, data } }: { readonly event: Event }) {
  const w = useWords(overviewWords);
  const models = useModelNames();
  const { can } = useSession();
  const { model_id: modelId, alias } = data;
  const name = typeof modelId === 'string' ? models.get(modelId) : undefined;
  const said = (
    <>
      {(w.events as Readonly<Record<string, string>>)[type] ?? type}
      {typeof alias === 'string' && (
        <>
          {' '}
          <AliasTag alias={alias} />
        </>
      )}
      {name && (
        <>
          {': '}
          <bdi className="font-medium">{name}</bdi>
        </>
      )}
    </>
  );
  const path = can('view_models') ? (typeof modelId === 'string' ? `/models/${modelId}` : pathOfId(id)) : null;
  return path && (name || typeof modelId !== 'string') ? (
    <PathLink path={path} className="min-w-0 break-words rounded hover:underline">
      {said}
    </PathLink>
  ) : (
    <span className="min-w-0 break-words">{said}</span>
  );
}
