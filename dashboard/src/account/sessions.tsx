import type { Schemas } from '@lastro/sdk';
import { accountClient } from '../api/client.ts';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { useWords } from '../words/words.ts';
import { accountWords } from './words.ts';

type Session = Schemas['Session'];

export function useSessions() {
  return useData(['sessions'], (signal) => accountClient().sessions.list({ signal }));
}

/** Where the person is signed in, each with what ends it. */
export function Sessions() {
  const w = useWords(accountWords);
  const list = useSessions();
  const endOthers = useChange(async () => say(w.ended((await accountClient().sessions.endOthers()).ended)), {
    changes: [['sessions']],
  });
  const hasOthers = list.data?.data.some(({ current }) => !current);
  return (
    <Section
      title={w.sessions}
      description={w.sessionsBody}
      actions={
        hasOthers && (
          <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {w.endOthers}
          </Button>
        )
      }
    >
      <Panel>
        {list.isError ? (
          <Failed error={list.error} onRetry={() => list.refetch()} />
        ) : !list.data ? (
          <div className="px-4">
            <Skeleton rows={3} />
          </div>
        ) : (
          <ul className="max-h-[420px] divide-y divide-line overflow-auto" aria-label={w.sessions}>
            {list.data.data.map((session) => (
              <One key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Panel>
    </Section>
  );
}

function One({ session }: { readonly session: Session }) {
  const w = useWords(accountWords);
  const end = useChange(() => accountClient().sessions.end(session.id), { changes: [['sessions']] });
  const methods: Readonly<Record<string, string>> = w.methods;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={session.user_agent ?? undefined}>
            {browserOf(session.user_agent) ?? '—'}
          </span>
          {session.current && <Tag tone="good">{w.thisOne}</Tag>}
        </span>
        <span className="text-ink3 text-meta">
          {session.ip ?? '—'} · {methods[session.method] ?? session.method} · {w.begun}{' '}
          <Moment at={session.created_at} /> · {w.seen} <Moment at={session.last_seen_at} />
        </span>
      </span>
      {!session.current && (
        <Button size="small" isBusy={end.isPending} onClick={() => end.mutate(undefined)}>
          {w.endSession}
        </Button>
      )}
    </li>
  );
}

const browsers = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** What a browser says it is, in two words; the whole text where it is none that is known. */
function browserOf(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const browser = browsers.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = systems.find(([, sign]) => sign.test(userAgent))?.[0];
  return browser ? [browser, system].filter(Boolean).join(', ') : userAgent;
}
