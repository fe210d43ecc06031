import { useMemo } from 'react';
import { useLiveList } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { useEventName } from '../events/words.ts';
import { CodeButton } from '../kit/code.tsx';
import { endOfDay, startOfDay } from '../kit/day.ts';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Live } from '../kit/live.tsx';
import { Moment } from '../kit/moment.tsx';
import { Empty, NothingFound, Refusal } from '../kit/states.tsx';
import { Dot, type Tone } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { Filters } from './filters.tsx';
import type { AuditSearch } from './search.ts';
import type { AuditEntry } from './trail.ts';
import { auditWords } from './words.ts';

const pageSize = 200;
/** Slow, since each time is an entry of its own. */
const liveEveryMs = 5_000;

export const outcomeTones: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  succeeded: 'good',
  denied: 'warn',
  failed: 'bad',
};

export function Entries({
  search,
  isOfOrganization,
  onSearch,
}: {
  readonly search: AuditSearch;
  readonly isOfOrganization: boolean;
  onSearch(change: Partial<AuditSearch>): void;
}) {
  const w = useWords(auditWords);
  const { daysReversed } = useWords(common);
  const { auditEntries, folder, noun } = useNouns(isOfOrganization);
  const { live, open, from, to } = search;
  const timeZone = useTimeZone();
  const filter = filterOf(search, timeZone);
  const list = useLiveList(
    ['audit', 'entries', isOfOrganization, filter],
    (cursor, signal) => auditEntries.list({ ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    live ? liveEveryMs : false,
  );
  const columns = useColumns();
  const isFiltered = Object.keys(filter).length > 0;
  const clear = () =>
    onSearch({
      ...{ action: undefined, outcome: undefined, class: undefined, channel: undefined, actor_id: undefined },
      ...{ target_id: undefined, ip: undefined, request_id: undefined, from: undefined, to: undefined },
      hide_reads: undefined,
    });
  const query = new URLSearchParams(filter as Record<string, string>).toString();
  return (
    <>
      <Filters
        search={search}
        isOfOrganization={isOfOrganization}
        isFiltered={isFiltered}
        onSearch={onSearch}
        onClear={clear}
      >
        <Live
          isOn={live === true}
          onChange={(isOn) => onSearch({ live: isOn || undefined, ...(isOn ? { hide_reads: true } : {}) })}
        />
        <CodeButton
          request={{
            method: 'GET',
            path: `${folder}/audit-entries${query ? `?${query}` : ''}`,
            typescript: `${noun}.auditEntries.list(${JSON.stringify(filter)})`,
          }}
        />
        <ExportButton name="audit-log.csv" list={list} columns={columns} />
      </Filters>
      <ListTable
        list={list}
        label={w.entries}
        columns={open ? columns.filter(({ key }) => key !== 'ip' && key !== 'channel') : columns}
        keyOf={({ id }) => id}
        chosen={open}
        onOpen={({ id }) => onSearch({ open: id })}
        height="max-h-[calc(100dvh-300px)] min-h-72"
        isFresh={({ recorded_at: at }) => live === true && Date.now() - Date.parse(at) < liveEveryMs + 1_000}
        empty={
          from && to && from > to ? (
            <Refusal error={daysReversed} />
          ) : isFiltered ? (
            <NothingFound onClear={clear} />
          ) : (
            <Empty title={w.first}>{w.firstBody}</Empty>
          )
        }
      />
    </>
  );
}

/** What the API is asked for. Days are of the clocks of the workspace, and the last one is included. */
function filterOf(
  { from, to, action, outcome, channel, ip, hide_reads: isHiding, ...search }: AuditSearch,
  timeZone: string | undefined,
) {
  const { class: group, actor_id, target_id, request_id } = search;
  const given = { action, outcome, channel, ip, class: group, actor_id, about: target_id, request_id };
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given),
    ...(isHiding ? { without: 'audit-read' } : {}),
    ...(from ? { from: startOfDay(from, timeZone) } : {}),
    ...(to ? { to: endOfDay(to, timeZone) } : {}),
  };
}

/** Who did it, in words: the service and its operator have no name of their own. */
export function useActorName(): (entry: AuditEntry) => string {
  const w = useWords(auditWords);
  return ({ actor: { type, id, label }, is_redacted: isRedacted }) => {
    if (type === 'system') return w.theService;
    if (type === 'operator') return label ?? w.theOperator;
    return label ?? (isRedacted ? w.redacted : (id ?? w.actorTypes[type]));
  };
}

/** How it came in, in words: what the service does by itself comes in by nothing. */
export function useChannelName(): (entry: AuditEntry) => string {
  const w = useWords(auditWords);
  return ({ actor, context }) => (actor.type === 'system' ? w.byItself : w.channels[context.channel]);
}

function useColumns(): readonly Column<AuditEntry>[] {
  const w = useWords(auditWords);
  const statuses: Readonly<Record<string, string>> = useWords(common).statuses;
  const nameOf = useEventName();
  const actorOf = useActorName();
  const channelOf = useChannelName();
  // biome-ignore lint/correctness/useExhaustiveDependencies: these names change with the words alone
  return useMemo(
    () => [
      {
        key: 'recorded_at',
        head: w.when,
        width: '124px',
        isMinor: true,
        cell: ({ recorded_at: at }) => <Moment at={at} />,
        text: ({ recorded_at: at }) => at,
      },
      {
        key: 'action',
        head: w.action,
        width: 'minmax(140px, 1.6fr)',
        cell: ({ action, outcome, data: { status } }) => (
          <span title={action}>
            {nameOf(action)}
            {/* That the change was made is the outcome; to what is this. */}
            {typeof status === 'string' && `: ${statuses[status] ?? status}`}
            {/* Narrow screens have no column for it. */}
            {outcome !== 'succeeded' && <span className="text-ink2 sm:hidden"> · {w[outcome]}</span>}
          </span>
        ),
        below: (entry) => (
          <>
            <Moment at={entry.recorded_at} /> · <bdi>{actorOf(entry)}</bdi>
          </>
        ),
        text: ({ action }) => action,
      },
      {
        key: 'actor',
        head: w.actor,
        width: 'minmax(92px, 1.2fr)',
        isMinor: true,
        cell: (entry) => <bdi>{actorOf(entry)}</bdi>,
        text: (entry) => entry.actor.id ?? actorOf(entry),
      },
      {
        key: 'target',
        head: w.target,
        width: 'minmax(110px, 1fr)',
        isMinor: true,
        cell: ({ target }) => (
          <span className="font-mono text-meta" title={target.id ?? target.type}>
            {target.id === null ? target.type : `${target.id.split('_', 1)[0]}_…${target.id.slice(-6)}`}
          </span>
        ),
        text: ({ target }) => target.id ?? target.type,
      },
      {
        key: 'channel',
        head: w.how,
        width: '96px',
        isMinor: true,
        cell: channelOf,
        text: ({ context }) => context.channel,
      },
      {
        key: 'ip',
        head: w.address,
        width: 'minmax(90px, 0.8fr)',
        isMinor: true,
        cell: ({ context }) => <span className="font-mono text-meta">{context.ip}</span>,
        text: ({ context }) => context.ip,
      },
      {
        key: 'outcome',
        head: w.outcome,
        width: '116px',
        isMinor: true,
        cell: ({ outcome }) => <Dot tone={outcomeTones[outcome]}>{w[outcome]}</Dot>,
        text: ({ outcome }) => outcome,
      },
    ],
    [w],
  );
}
