import type { Schemas } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useKey, useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Panel } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useInboxCounts } from '../shell/inbox-counts.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import type { Act, Notification } from './notification.ts';
import { NotificationRow } from './notification-row.tsx';
import { inboxWords } from './words.ts';

const pageSize = 50;

/** The notifications of one tab; one of them is open in its place, and read by that. */
export function NotificationList({
  show,
  open,
  onOpen,
}: {
  readonly show: 'unread' | 'all' | 'archived';
  readonly open: string | undefined;
  onOpen(id: string | undefined): void;
}) {
  const w = useWords(inboxWords);
  const client = useClient();
  const list = useRef<HTMLUListElement>(null);
  const filter = show === 'unread' ? { unread: true } : show === 'archived' ? { archived: true } : {};
  const key = ['notifications', 'list', show];
  const inbox = useList(key, (cursor, signal) =>
    client.notifications.list({ ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  useSeen(inbox.rows);
  const act = useAct();
  const suppression = useInboxCounts()?.mail_suppression;
  const markAll = useChange((before: string) => client.notifications.markAllRead({ before }), {
    changes: [['notifications']],
  });
  const move = (event: React.KeyboardEvent, at: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = (next: number) => list.current?.querySelectorAll<HTMLElement>('[data-notification]')[next]?.focus();
    const one = inbox.rows[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      focus(Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)));
    } else if (event.key === 'e' || event.key === 'E') {
      act.mutate({ kind: one.archived_at === null ? 'archive' : 'unarchive', one });
      focus(at + 1 < inbox.rows.length ? at + 1 : at - 1);
    } else if (event.key === 'u' || event.key === 'U')
      act.mutate({ kind: one.read_at === null ? 'markRead' : 'markUnread', one });
  };
  if (inbox.isError) return <Failed error={inbox.error} onRetry={() => inbox.refetch()} />;
  if (inbox.isPending) return <Skeleton />;
  const [newest] = inbox.rows;
  return (
    <>
      {suppression && <Suppressed {...suppression} />}
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <p className="hidden flex-1 text-ink3 text-meta sm:block">{inbox.rows.length > 0 && w.keys}</p>
        <CodeButton
          request={{
            method: 'GET',
            path: `/v1/api/notifications${show === 'all' ? '' : `?${show}=true`}`,
            typescript: `lastro.notifications.list(${JSON.stringify(filter)})`,
          }}
        />
        {show !== 'archived' && newest && (
          <Button
            isBusy={markAll.isPending}
            onClick={() => markAll.mutate(newest.id, { onSuccess: () => say(w.allRead) })}
          >
            {w.markAllRead}
          </Button>
        )}
      </div>
      {inbox.rows.length === 0 ? (
        <Empty title={show === 'unread' ? w.caughtUp : show === 'all' ? w.nothing : w.noArchived}>
          {show === 'unread' ? w.caughtUpBody : show === 'all' ? w.nothingBody : null}
        </Empty>
      ) : (
        <Panel>
          <ul ref={list} className="divide-y divide-line">
            {inbox.rows.map((one, at) => (
              <NotificationRow
                key={one.id}
                notification={one}
                isOpen={one.id === open}
                onToggle={() => {
                  onOpen(one.id === open ? undefined : one.id);
                  // Read by the way: the list keeps it in its place until it is asked for anew.
                  if (one.read_at === null) act.mutate({ kind: 'markRead', one, isByTheWay: true });
                }}
                onKey={(event) => move(event, at)}
                onAct={(kind) => act.mutate({ kind, one })}
              />
            ))}
          </ul>
        </Panel>
      )}
      <MoreButton list={inbox} />
    </>
  );
}

/** Changes a notification; the counts of the top bar follow. */
function useAct() {
  const w = useWords(inboxWords);
  const c = useWords(common);
  const client = useClient();
  const queries = useQueryClient();
  const [scope] = useKey([]);
  const refresh = (what: 'list' | 'counts') => queries.invalidateQueries({ queryKey: [scope, 'notifications', what] });
  return useChange(
    async ({
      kind,
      one,
      isByTheWay,
    }: {
      readonly kind: Act;
      readonly one: Notification;
      readonly isByTheWay?: boolean;
    }) => {
      const changed = await client.notifications[kind](one.id);
      if (isByTheWay) queries.setQueriesData({ queryKey: [scope, 'notifications', 'list'] }, replaceIn(changed));
      await Promise.all([refresh('counts'), isByTheWay ? null : refresh('list')]);
      if (kind !== 'archive') return;
      const undo = async () => {
        await client.notifications.unarchive(one.id);
        await Promise.all([refresh('counts'), refresh('list')]);
      };
      say(w.archivedOne, { action: { label: c.undo, run: () => void undo() } });
    },
  );
}

type Pages = { readonly pages: readonly { readonly data: readonly Notification[] }[] };

/** Puts a notification as it is now in the place of what was fetched of it. */
const replaceIn =
  (changed: Notification) =>
  <P extends Pages>(list: P | undefined): P | undefined =>
    list && {
      ...list,
      pages: list.pages.map((page) => ({
        ...page,
        data: page.data.map((one) => (one.id === changed.id ? changed : one)),
      })),
    };

/** Tells the service what the inbox has shown, so that the top bar counts only what is new. */
function useSeen(rows: readonly Notification[]): void {
  const client = useClient();
  const queries = useQueryClient();
  const [scope] = useKey([]);
  const told = useRef(new Set<string>());
  useEffect(() => {
    const unseen = rows.filter(({ id, seen_at: at }) => at === null && !told.current.has(id));
    if (unseen.length === 0) return;
    for (const { id } of unseen) told.current.add(id);
    const tell = async () => {
      for (const { id } of unseen) await client.notifications.markSeen(id);
      await queries.invalidateQueries({ queryKey: [scope, 'notifications', 'counts'] });
    };
    // Nothing hangs on it: what was not told is shown as new once more.
    tell().catch(() => {});
  }, [rows, client, queries, scope]);
}

function Suppressed({ id, email }: Schemas['MailSuppression']) {
  const w = useWords(inboxWords);
  const client = useClient();
  const retry = useChange(() => client.mailSuppressions.delete(id), { changes: [['notifications']] });
  return (
    <div role="status" className="mb-3 flex flex-wrap items-center gap-3 rounded-[6px] bg-warn-soft px-3 py-2">
      <p className="min-w-0 flex-1 break-words">{w.suppressed(email)}</p>
      <Button isBusy={retry.isPending} onClick={() => retry.mutate(undefined, { onSuccess: () => say(w.tryingAgain) })}>
        {w.tryAgain}
      </Button>
    </div>
  );
}
