import { accountClient } from '../api/client.ts';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { useWords } from '../words/words.ts';
import { accountWords } from './words.ts';

/** Addresses of the person to which nothing is sent because they were refused; nothing is shown where there is none. */
export function MailSuppressions() {
  const w = useWords(accountWords);
  const list = useData(['mail-suppressions'], (signal) => accountClient().mailSuppressions.list({ signal }));
  const lift = useChange((id: string) => accountClient().mailSuppressions.delete(id), {
    changes: [['mail-suppressions']],
  });
  if (!list.data || list.data.data.length === 0) return null;
  return (
    <Section title={w.mails} description={w.mailsBody}>
      <Panel>
        <ul className="divide-y divide-line">
          {list.data.data.map(({ id, email, reason, created_at: at }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
              <span className="min-w-0 break-words">
                <b className="font-medium">{email}</b>
                <span className="block text-ink2 text-meta">
                  {w.reason}: {reason} · <Moment at={at} />
                </span>
              </span>
              <Button size="small" isBusy={lift.isPending} onClick={() => lift.mutate(id)}>
                {w.sendAgain}
              </Button>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}
