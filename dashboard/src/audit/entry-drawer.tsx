import { useData } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { useEventName } from '../events/words.ts';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { Drawer } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { PathLink } from '../kit/path-link.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { pathOfId } from '../shell/path-of-id.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { AliasMove, useAliasMove } from './alias-move.tsx';
import { outcomeTones, useActorName, useChannelName } from './entries.tsx';
import { ProofOf } from './proof.tsx';
import type { AuditSearch } from './search.ts';
import type { AuditEntry } from './trail.ts';
import { auditWords } from './words.ts';

/** One entry: who did what to what and how, and the proof that it stands in the log as it was sealed. */
export function EntryDrawer({
  id,
  isOfOrganization,
  onClose,
  onFilter,
}: {
  readonly id: string;
  readonly isOfOrganization: boolean;
  onClose(): void;
  onFilter(change: Partial<AuditSearch>): void;
}) {
  const { auditEntries, folder, noun } = useNouns(isOfOrganization);
  const nameOf = useEventName();
  const { data, error, refetch } = useData(['audit', 'entry', isOfOrganization, id], (signal) =>
    auditEntries.get(id, { signal }),
  );
  return (
    <Drawer title={data ? nameOf(data.action) : '…'} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : data ? (
        <div className="flex min-w-0 flex-col gap-5">
          <EntryFacts entry={data} onFilter={onFilter} />
          <ProofOf entry={data} isOfOrganization={isOfOrganization} />
          <Details entry={data} />
          <div>
            <CodeButton
              request={{
                method: 'GET',
                path: `${folder}/audit-entries/${id}`,
                typescript: `${noun}.auditEntries.get('${id}')`,
              }}
            />
          </div>
        </div>
      ) : (
        <Skeleton />
      )}
    </Drawer>
  );
}

function EntryFacts({ entry, onFilter }: { readonly entry: AuditEntry; onFilter(change: Partial<AuditSearch>): void }) {
  const w = useWords(auditWords);
  const actorOf = useActorName();
  const channelOf = useChannelName();
  const { id, action, outcome, actor, target, context, recorded_at: at } = entry;
  return (
    <Facts
      columns={2}
      of={[
        [w.when, <Moment key="at" at={at} isExact />],
        [
          w.outcome,
          <Dot key="outcome" tone={outcomeTones[outcome]}>
            {w[outcome]}
          </Dot>,
        ],
        [
          w.actor,
          <Filtered key="actor" onFilter={actor.id === null ? null : () => onFilter({ actor_id: actor.id! })}>
            <bdi>{actorOf(entry)}</bdi>
          </Filtered>,
        ],
        [
          w.target,
          <Filtered key="target" onFilter={target.id === null ? null : () => onFilter({ target_id: target.id! })}>
            <Target target={target} />
          </Filtered>,
        ],
        [
          w.action,
          <Filtered key="action" onFilter={() => onFilter({ action })}>
            <code className="font-mono text-meta">{action}</code>
          </Filtered>,
        ],
        [w.how, channelOf(entry)],
        context.ip !== null && [
          w.address,
          <Filtered key="ip" onFilter={() => onFilter({ ip: context.ip! })}>
            <code className="font-mono text-meta">{context.ip}</code>
          </Filtered>,
        ],
        context.request_id !== null && [
          w.request,
          <Filtered key="request" onFilter={() => onFilter({ request_id: context.request_id! })}>
            <Copy text={context.request_id} shown={`req_…${context.request_id.slice(-6)}`} />
          </Filtered>,
        ],
        ['id', <Copy key="id" text={id} shown={`aud_…${id.slice(-6)}`} />],
        context.user_agent !== null && [w.agent, context.user_agent],
      ]}
    />
  );
}

function Target({ target: { type, id } }: { readonly target: AuditEntry['target'] }) {
  if (id === null) return type;
  const path = pathOfId(id);
  const said = `${id.split('_', 1)[0]}_…${id.slice(-6)}`;
  return path === null || path.startsWith('/audit') ? (
    <Copy text={id} shown={said} />
  ) : (
    <PathLink
      path={path}
      className="inline-flex min-h-6 items-center font-mono text-accent text-meta underline underline-offset-2"
    >
      {said}
    </PathLink>
  );
}

/** A value with the way to all entries that have the same. */
function Filtered({
  onFilter,
  children,
}: {
  readonly onFilter: (() => void) | null;
  readonly children: React.ReactNode;
}) {
  const w = useWords(auditWords);
  return (
    <span className="flex flex-col items-start">
      <span className="max-w-full break-words">{children}</span>
      {onFilter && (
        <button
          type="button"
          className="min-h-6 rounded text-ink3 text-meta underline-offset-2 hover:text-ink hover:underline"
          onClick={onFilter}
        >
          {w.same}
        </button>
      )}
    </span>
  );
}

/** What changed, where the entry says from what to what, and the rest as it is. */
function Details({ entry }: { readonly entry: AuditEntry }) {
  const w = useWords(auditWords);
  const c = useWords(common);
  const move = useAliasMove(entry);
  const { data } = entry;
  const { from, to } = data as { readonly from?: unknown; readonly to?: unknown };
  if (Object.keys(data).length === 0) return null;
  return (
    <section className="min-w-0">
      <h3 className="mb-1 font-semibold text-section">{w.details}</h3>
      {from !== undefined && to !== undefined && (
        <Facts
          columns={2}
          of={[
            [
              c.from,
              <bdi key="from" className="text-ink2 line-through">
                {said(from)}
              </bdi>,
            ],
            ['→', <bdi key="to">{said(to)}</bdi>],
          ]}
        />
      )}
      {move ? <AliasMove of={move} /> : <CodeBlock label={w.details} code={JSON.stringify(data, null, 2)} />}
    </section>
  );
}

const said = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
