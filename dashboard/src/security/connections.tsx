import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Status, Tag } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { AddConnection } from './add-connection.tsx';
import { securityWords } from './words.ts';

export type Connection = Schemas['SsoConnection'];

/** Connections to identity providers, each with what the provider must know. */
export function Connections() {
  const w = useWords(securityWords);
  const { organizationClient: client } = useSession();
  const [adding, setAdding] = useState<'oidc' | 'saml' | null>(null);
  const list = useList(['sso-connections'], (cursor, signal) =>
    client.ssoConnections.list({ limit: 200, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  return (
    <Section
      title={w.stepConnection}
      description={w.stepConnectionBody}
      actions={
        <>
          <Button onClick={() => setAdding('oidc')}>{w.addOidc}</Button>
          <Button onClick={() => setAdding('saml')}>{w.addSaml}</Button>
        </>
      }
    >
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={2} />
      ) : list.rows.length === 0 ? (
        <p className="text-body text-ink2">{w.connectionsNone}</p>
      ) : (
        <div className="flex flex-col gap-3">
          {list.rows.map((connection) => (
            <One key={connection.id} connection={connection} />
          ))}
        </div>
      )}
      {adding && <AddConnection kind={adding} onClose={() => setAdding(null)} />}
    </Section>
  );
}

function One({ connection }: { readonly connection: Connection }) {
  const w = useWords(securityWords);
  const c = useWords(common);
  const format = useFormat();
  const { organizationClient: client } = useSession();
  const [asked, setAsked] = useState<'switch' | 'delete' | null>(null);
  const isActive = connection.status === 'active';
  const changes = [['sso-connections']];
  const change = useChange(
    () => (isActive ? client.ssoConnections.deactivate(connection.id) : client.ssoConnections.activate(connection.id)),
    { changes, isQuiet: true },
  );
  const remove = useChange(() => client.ssoConnections.delete(connection.id), { changes, isQuiet: true });
  const { oidc, saml } = connection;
  const known: readonly (readonly [string, string])[] = [
    ...(oidc ? [[w.callback, oidc.callback_url] as const, [w.clientId, oidc.client_id] as const] : []),
    ...(saml
      ? [
          [w.entityId, saml.entity_id] as const,
          [w.acs, saml.acs_url] as const,
          [w.metadataUrl, saml.metadata_url] as const,
        ]
      : []),
    [w.signInUrl, connection.sign_in_url],
  ];
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-3">
          <b className="min-w-0 break-words font-medium">
            <bdi>{connection.name}</bdi>
          </b>
          <Tag>{connection.kind === 'saml' ? 'SAML 2.0' : 'OpenID Connect'}</Tag>
          <Status of={connection.status} />
        </span>
        <span className="flex flex-wrap gap-2">
          <a
            href={connection.sign_in_url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('secondary', 'small')}
          >
            {w.test}
          </a>
          <Button size="small" kind={isActive ? 'danger' : 'primary'} onClick={() => setAsked('switch')}>
            {isActive ? w.deactivate : w.activate}
          </Button>
          <Button
            size="small"
            kind="danger"
            aria-label={w.deleteConnection(connection.name)}
            onClick={() => setAsked('delete')}
          >
            {c.delete}
          </Button>
        </span>
      </div>
      <dl className="grid gap-x-4 gap-y-1 text-body sm:grid-cols-[180px_minmax(0,1fr)]">
        <dt className="text-ink3">{w.issuer}</dt>
        <dd className="min-w-0 break-all">{connection.issuer}</dd>
        {known.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink3">{label}</dt>
            <dd className="min-w-0">
              <Copy text={value} />
            </dd>
          </div>
        ))}
        {saml && (
          <>
            <dt className="text-ink3">{w.certificates}</dt>
            <dd>{format.list(saml.certificates.map(({ not_after: end }) => format.day(end)))}</dd>
          </>
        )}
      </dl>
      <Confirm
        title={isActive ? w.deactivate : w.activate}
        body={isActive ? w.deactivateBody : w.activateBody}
        action={isActive ? w.deactivate : w.activate}
        isDanger={isActive}
        isOpen={asked === 'switch'}
        onClose={() => setAsked(null)}
        onConfirm={() => change.mutateAsync(undefined)}
      />
      <Confirm
        title={w.deleteConnection(connection.name)}
        body={w.deleteConnectionBody}
        action={c.delete}
        typed={connection.name}
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        onConfirm={() => remove.mutateAsync(undefined)}
      />
    </Panel>
  );
}
