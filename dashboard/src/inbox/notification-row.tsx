import { Archive, ArchiveRestore, MailOpen } from 'lucide-react';
import { useEventName } from '../events/words.ts';
import { buttonClass, IconButton } from '../kit/button.tsx';
import { Moment } from '../kit/moment.tsx';
import { PathLink } from '../kit/path-link.tsx';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import type { Act, Notification } from './notification.ts';
import { inboxWords } from './words.ts';

export function NotificationRow({
  notification,
  isOpen,
  onToggle,
  onKey,
  onAct,
}: {
  readonly notification: Notification;
  readonly isOpen: boolean;
  onToggle(): void;
  onKey(event: React.KeyboardEvent): void;
  onAct(kind: Act): void;
}) {
  const w = useWords(inboxWords);
  const nameOf = useEventName();
  const { title, body } = notification.said?.[useLanguage()] ?? notification;
  const { id, type, link: page, created_at: at, read_at: readAt, archived_at: archivedAt } = notification;
  const isUnread = readAt === null;
  const [first = ''] = body.split('\n');
  return (
    <li className={isOpen ? 'bg-sunken' : ''}>
      <div className="flex items-center gap-2 pr-2">
        <button
          type="button"
          data-notification
          aria-expanded={isOpen}
          onClick={onToggle}
          onKeyDown={onKey}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 px-3 py-1.5 text-left hover:bg-sunken"
        >
          <span className={`size-1.5 shrink-0 rounded-full ${isUnread ? 'bg-accent' : ''}`}>
            {isUnread && <span className="sr-only">{w.isUnread}</span>}
          </span>
          <span className="min-w-0 flex-1">
            <bdi className={`block truncate ${isUnread ? 'font-semibold' : ''}`}>{title}</bdi>
            {!isOpen && <span className="block truncate text-ink2 text-meta">{first}</span>}
          </span>
          <span className="shrink-0 text-ink3 text-meta">
            <Moment at={at} />
          </span>
        </button>
        <IconButton
          label={archivedAt === null ? w.archive : w.unarchive}
          icon={archivedAt === null ? <Archive size={15} /> : <ArchiveRestore size={15} />}
          onClick={() => onAct(archivedAt === null ? 'archive' : 'unarchive')}
        />
      </div>
      {isOpen && (
        <div className="flex flex-col items-start gap-3 px-8 pb-4" id={`body-${id}`}>
          <p className="text-ink3 text-meta">
            {nameOf(type)} · <Moment at={at} isExact />
          </p>
          <p className="max-w-full whitespace-pre-line break-words">{body}</p>
          <div className="flex flex-wrap gap-2">
            {page && (
              <PathLink path={page} className={buttonClass('primary')}>
                {w.open}
              </PathLink>
            )}
            <button
              type="button"
              className={buttonClass('secondary')}
              onClick={() => onAct(isUnread ? 'markRead' : 'markUnread')}
            >
              <MailOpen size={14} />
              {isUnread ? w.read : w.unreadAction}
            </button>
          </div>
        </div>
      )}
    </li>
  );
}
