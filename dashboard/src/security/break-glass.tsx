import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { readAll } from '../api/read-all.ts';
import { useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { membersMost } from '../api/use-members.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { securityWords } from './words.ts';

type Admin = Schemas['BreakGlassAdmin'];

/** Who comes in when the identity provider does not answer. */
export function BreakGlassAdmins() {
  const w = useWords(securityWords);
  const c = useWords(common);
  const { organizationClient: client } = useSession();
  const [removed, setRemoved] = useState<Admin | null>(null);
  const admins = useData(['break-glass-admins'], (signal) => client.breakGlassAdmins.list({ signal }));
  const remove = useChange((userId: string) => client.breakGlassAdmins.remove(userId), {
    changes: [['break-glass-admins']],
    isQuiet: true,
  });
  return (
    <Section title={w.stepBreakGlass} description={w.stepBreakGlassBody}>
      {admins.isError ? (
        <Failed error={admins.error} onRetry={() => admins.refetch()} />
      ) : !admins.data ? (
        <Skeleton rows={2} />
      ) : (
        <>
          <Choosing admins={admins.data.data} />
          {admins.data.data.length === 0 ? (
            <p className="text-body text-ink2">{w.breakGlassNone}</p>
          ) : (
            <Panel>
              <ul className="divide-y divide-line">
                {admins.data.data.map((admin) => (
                  <li key={admin.user_id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
                    <span className="min-w-0 break-words">
                      <b className="font-medium">{admin.email}</b>{' '}
                      <span className="text-ink2 text-meta">
                        <Dot tone={admin.ready ? 'good' : 'warn'}>{admin.ready ? w.ready : w.notReady}</Dot>
                      </span>
                    </span>
                    <Button size="small" kind="danger" onClick={() => setRemoved(admin)}>
                      {c.remove}
                    </Button>
                  </li>
                ))}
              </ul>
            </Panel>
          )}
        </>
      )}
      <Confirm
        title={w.removeAdmin(removed?.email ?? '')}
        body={w.removeAdminBody}
        action={c.remove}
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={() => remove.mutateAsync(removed!.user_id)}
      />
    </Section>
  );
}

/** One of the Creators of the organization who is none yet. */
function Choosing({ admins }: { readonly admins: readonly Admin[] }) {
  const w = useWords(securityWords);
  const { organizationClient: client } = useSession();
  const members = useData(['members', 'organization', 'creators'], (signal) =>
    readAll(client.organization.members.list({ limit: 200 }, { signal }), membersMost),
  );
  const [chosen, setChosen] = useState('');
  const add = useChange((userId: string) => client.breakGlassAdmins.add(userId), {
    changes: [['break-glass-admins']],
    isQuiet: true,
  });
  const able = members.data?.filter(
    ({ role, user_id: id }) => role === 'creator' && !admins.some((admin) => admin.user_id === id),
  );
  if (members.error) return <Failed error={members.error} onRetry={() => members.refetch()} />;
  if (!able || able.length === 0) return null;
  const userId = able.some(({ user_id: id }) => id === chosen) ? chosen : able[0].user_id;
  return (
    <div className="mb-3 flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={w.member} className="w-72">
          <Select
            value={userId}
            options={able.map(({ user_id: value, email: label }) => ({ value, label }))}
            onValue={setChosen}
          />
        </Field>
        <Button isBusy={add.isPending} onClick={() => add.mutate(userId)}>
          {w.addAdmin}
        </Button>
      </div>
      {add.error && <Refusal error={add.error} />}
    </div>
  );
}
