import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Drawer } from '../kit/drawer.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { useBlock } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { permissionWords } from '../words/permissions.ts';
import { useWords } from '../words/words.ts';
import type { ApiKey, NewApiKey } from './key.ts';
import { keyWords } from './words.ts';

const overlaps = ['0', '24', '72', '168'] as const;

/** One key: what it may do, when it was used, and what can be done about it. */
export function KeyDrawer({
  apiKey,
  maker,
  onClose,
  onRotated,
}: {
  readonly apiKey: ApiKey;
  readonly maker: string;
  onClose(): void;
  onRotated(key: NewApiKey): void;
}) {
  const w = useWords(keyWords);
  const says: Readonly<Record<string, string>> = useWords(permissionWords);
  const { user, can } = useSession();
  const { id, name, hint, scopes } = apiKey;
  const isMine = apiKey.user_id === user.id;
  return (
    <Drawer title={name} onClose={onClose}>
      <div className="flex flex-col gap-5">
        <Facts
          columns={2}
          of={[
            [
              w.key,
              <code key="hint" className="font-mono text-meta">
                {hint}
              </code>,
            ],
            ['id', <Copy key="id" text={id} shown={`key_…${id.slice(-6)}`} />],
            [w.madeBy, isMine ? `${maker} (${w.you})` : maker],
            [w.expires, <Moment key="end" at={apiKey.expires_at} isExact />],
            [w.lastUsed, apiKey.last_used_at ? <Moment key="used" at={apiKey.last_used_at} isExact /> : w.neverUsed],
            apiKey.last_used_ip !== null && [
              w.from,
              <code key="ip" className="font-mono text-meta">
                {apiKey.last_used_ip}
              </code>,
            ],
            apiKey.last_used_agent !== null && [w.agent, apiKey.last_used_agent],
            apiKey.previous_until !== null && [
              w.previous,
              <Moment key="previous" at={apiKey.previous_until} isExact />,
            ],
          ]}
        />
        <section>
          <h3 className="mb-1 font-semibold text-section">{w.may}</h3>
          {scopes === null ? (
            <p className="text-ink2">{isMine ? w.everythingHint : w.all}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {scopes.map((scope) => (
                <li key={scope} className="py-1">
                  {says[scope] ?? scope}
                </li>
              ))}
            </ul>
          )}
        </section>
        <Actions apiKey={apiKey} isMine={isMine} onClose={onClose} onRotated={onRotated} />
        <section className="rounded-[6px] bg-sunken px-3 py-2">
          <h3 className="font-semibold text-body">{w.leak}</h3>
          <p className="text-body text-ink2">{w.leakBody}</p>
          {can('view_activity_logs') && (
            <Link
              to="/audit"
              search={{ actor_id: id } as never}
              className="inline-block py-1 text-accent underline underline-offset-2"
            >
              {w.leakAudit}
            </Link>
          )}
        </section>
      </div>
    </Drawer>
  );
}

function Actions({
  apiKey: { id, name },
  isMine,
  onClose,
  onRotated,
}: {
  readonly apiKey: ApiKey;
  readonly isMine: boolean;
  onClose(): void;
  onRotated(key: NewApiKey): void;
}) {
  const w = useWords(keyWords);
  const c = useWords(common);
  const { client, can } = useSession();
  const [asked, setAsked] = useState<'rename' | 'rotate' | 'delete' | null>(null);
  const [newName, setNewName] = useState(name);
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('24');
  const options = { changes: [['api-keys']], isQuiet: true };
  const rename = useChange(() => client.apiKeys.rename(id, { name: newName.trim() }), options);
  const rotate = useChange(() => client.apiKeys.rotate(id, { overlap_hours: Number(overlap) }), options);
  const remove = useChange(() => client.apiKeys.delete(id), options);
  const inArchive = useBlock('manage_api_keys');
  const blocked = inArchive ?? (!isMine && w.onlyMaker);
  const labels = { '0': w.atOnce, '24': w.inHours('24'), '72': w.inHours('72'), '168': w.inWeek };
  const close = () => setAsked(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button blocked={blocked} onClick={() => setAsked('rename')}>
        {w.rename}
      </Button>
      <Button blocked={blocked} onClick={() => setAsked('rotate')}>
        {w.rotate}
      </Button>
      {(isMine || can('manage_members')) && (
        <Button kind="danger" blocked={inArchive} onClick={() => setAsked('delete')}>
          {w.delete}
        </Button>
      )}
      <Confirm
        title={w.renameTitle}
        action={c.rename}
        isDanger={false}
        isOpen={asked === 'rename'}
        onClose={close}
        onConfirm={() => rename.mutateAsync(undefined)}
      >
        <Field label={w.name}>
          <Input value={newName} required maxLength={300} onChange={(event) => setNewName(event.target.value)} />
        </Field>
      </Confirm>
      <Confirm
        title={w.rotateTitle}
        body={w.rotateBody}
        action={w.rotateAction}
        isDanger={overlap === '0'}
        isOpen={asked === 'rotate'}
        onClose={close}
        onConfirm={async () => onRotated(await rotate.mutateAsync(undefined))}
      >
        <Field label={w.overlap} error={overlap === '0' && w.atOnceWarning}>
          <Select
            value={overlap}
            options={overlaps.map((value) => ({ value, label: labels[value] }))}
            onValue={setOverlap}
          />
        </Field>
      </Confirm>
      <Confirm
        title={w.deleteTitle}
        body={w.deleteBody}
        action={c.delete}
        typed={name}
        isOpen={asked === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(undefined);
          say(c.deleted);
          onClose();
        }}
      />
    </div>
  );
}
