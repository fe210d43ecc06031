import type { Schemas } from '@lastro/sdk';
import { type ReactNode, useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { useMemberNames } from '../api/use-members.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Empty, useBlock } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { connectLine, type SftpServer } from './server.ts';
import { sftpWords } from './words.ts';

type SftpUser = Schemas['SftpUser'];

export function Users({ server, create }: { readonly server: SftpServer; readonly create: ReactNode }) {
  const w = useWords(sftpWords);
  const c = useWords(common);
  const client = useClient();
  const list = useList(['sftp-users'], (cursor, signal) =>
    client.sftpUsers.list({ limit: 100, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const [going, setGoing] = useState<SftpUser | null>(null);
  const remove = useChange((id: string) => client.sftpUsers.delete(id), { changes: [['sftp-users']], isQuiet: true });
  const columns = useColumns(setGoing);
  return (
    <Section title={w.users}>
      <ListTable
        list={list}
        label={w.users}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title={w.first} action={create}>
            <p className="mb-3">{w.firstBody}</p>
            <div className="text-left">
              <CodeBlock label={w.connect} code={connectLine(server, 'login')} />
            </div>
          </Empty>
        }
      />
      <Confirm
        title={w.deleteTitle}
        body={w.deleteBody}
        action={c.delete}
        {...(going && { typed: going.name })}
        isOpen={going !== null}
        onClose={() => setGoing(null)}
        onConfirm={async () => {
          await remove.mutateAsync(going!.id);
          say(c.deleted);
        }}
      />
    </Section>
  );
}

function useColumns(onDelete: (user: SftpUser) => void): readonly Column<SftpUser>[] {
  const w = useWords(sftpWords);
  const format = useFormat();
  const nameOf = useMemberNames();
  const block = useBlock('upload_files');
  return useMemo(() => {
    const proofOf = ({ password_hint: hint, public_keys: keys }: SftpUser) =>
      [
        hint !== null && w.password,
        keys.length > 0 && (keys.length === 1 ? w.oneKey : w.keys(format.integer(keys.length))),
      ]
        .filter(Boolean)
        .join(', ');
    return [
      {
        key: 'name',
        head: w.name,
        width: 'minmax(96px, 1.2fr)',
        cell: ({ name }) => <bdi className="font-medium">{name}</bdi>,
        below: ({ login }) => <Copy text={login} />,
        text: ({ name }) => name,
      },
      {
        key: 'login',
        head: w.login,
        width: 'minmax(150px, 1.4fr)',
        isMinor: true,
        cell: ({ login }) => <Copy text={login} />,
        text: ({ login }) => login,
      },
      { key: 'proof', head: w.proof, width: 'minmax(96px, 1fr)', isMinor: true, cell: proofOf, text: proofOf },
      {
        key: 'user_id',
        head: w.madeBy,
        width: 'minmax(80px, 1fr)',
        isMinor: true,
        cell: ({ user_id: id }) => nameOf(id),
        text: ({ user_id: id }) => nameOf(id),
      },
      {
        key: 'last_used_at',
        head: w.lastUsed,
        width: '128px',
        isMinor: true,
        cell: ({ last_used_at: at }) =>
          at === null ? <span className="text-ink3">{w.never}</span> : <Moment at={at} />,
        text: ({ last_used_at: at }) => at,
      },
      {
        key: 'delete',
        head: '',
        width: '84px',
        cell: (user) => (
          <Button kind="danger" blocked={block} onClick={() => onDelete(user)}>
            {w.delete}
          </Button>
        ),
      },
    ];
  }, [w, format, nameOf, block, onDelete]);
}
