import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData, useLiveList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { ExportButton } from '../kit/list.tsx';
import { Facts, Page, Section } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { Empty, Failed, Skeleton, useBlock } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Files, useFileColumns } from './files.tsx';
import { type NewSftpUser, NewUser } from './new-user.tsx';
import { connectLine, type SftpServer } from './server.ts';
import { Users } from './users.tsx';
import { sftpWords } from './words.ts';

const pageSize = 100;
const liveMs = 3_000;

/** Where clients of SFTP connect, who may, and what came of the files that they put in. */
export function Sftp() {
  const w = useWords(sftpWords);
  const { sftp: title } = useWords(pageNames);
  const client = useClient();
  const { can } = useSession();
  const server = useData(['sftp-server'], (signal) => client.sftpServer.get({ signal }));
  const files = useLiveList(
    ['sftp-files'],
    (cursor, signal) => client.sftpFiles.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    server.data?.enabled ? liveMs : false,
    {
      everyMs: (rows) => (rows.some(({ status }) => status === 'received') ? liveMs : false),
    },
  );
  const [isCreating, setCreating] = useState(false);
  const [told, setTold] = useState<NewSftpUser | null>(null);
  const block = useBlock('upload_files');
  const fileColumns = useFileColumns();
  const create = can('upload_files') && server.data?.enabled && (
    <Button kind="primary" blocked={block} onClick={() => setCreating(true)}>
      {w.create}
    </Button>
  );
  const onCreated = (user: NewSftpUser) => {
    if (user.password === null) say(w.createdWithKeys(user.name));
    setTold(user);
  };
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton request={{ method: 'GET', path: '/v1/api/sftp-files', typescript: 'lastro.sftpFiles.list()' }} />
          <ExportButton name="sftp-files.csv" list={files} columns={fileColumns} />
          {create}
        </>
      }
    >
      {told !== null && told.password !== null && (
        <Secret key={told.id} title={w.created(told.name)} secret={told.password} onDone={() => setTold(null)}>
          {server.data && <CodeBlock label={w.connect} code={connectLine(server.data, told.login)} />}
        </Secret>
      )}
      {server.isError ? (
        <Failed error={server.error} onRetry={() => server.refetch()} />
      ) : server.isPending ? (
        <Skeleton rows={3} />
      ) : server.data.port === null ? (
        <Empty title={w.notHere}>{w.notHereBody}</Empty>
      ) : server.data.enabled ? (
        <>
          <Server server={server.data} />
          {can('upload_files') && <Users server={server.data} create={create} />}
          <Files list={files} />
        </>
      ) : (
        <Empty title={w.notEnabled}>{w.notEnabledBody}</Empty>
      )}
      <NewUser isOpen={isCreating} onClose={() => setCreating(false)} onCreated={onCreated} />
    </Page>
  );
}

function Server({ server: { host, port, host_keys: keys } }: { readonly server: SftpServer }) {
  const w = useWords(sftpWords);
  const format = useFormat();
  const now = useMemo(() => Date.now(), []);
  return (
    <Section title={w.server} description={w.columns}>
      <Facts
        columns={2}
        of={[
          [w.host, <Copy key="host" text={host} />],
          [w.port, String(port)],
          ...keys.map(
            ({ fingerprint, used_from: from }) =>
              [
                Date.parse(from) <= now ? w.hostKey : w.nextKey(format.day(from)),
                <Copy key={fingerprint} text={fingerprint} />,
              ] as const,
          ),
        ]}
      />
    </Section>
  );
}
