import type { Body } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input, Select, TextArea } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { SsoRefusal } from './sso-refusal.tsx';
import { securityWords } from './words.ts';

type DefaultRole = NonNullable<Body<'ssoConnections.createSaml'>['default_role']>;
const defaultRoles: readonly DefaultRole[] = ['member', 'auditor', 'analyst', 'billing_manager', 'developer'];

/** Adds a connection: what the provider told the company goes in, and comes back with what it must be told. */
export function AddConnection({ kind, onClose }: { readonly kind: 'oidc' | 'saml'; onClose(): void }) {
  const w = useWords(securityWords);
  const c = useWords(common);
  const { organizationClient: client } = useSession();
  const [name, setName] = useState('');
  const [issuer, setIssuer] = useState('');
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const [metadata, setMetadata] = useState('');
  const [role, setRole] = useState<DefaultRole>('member');
  const add = useChange(
    async () => {
      const shared = { name, default_role: role };
      if (kind === 'saml') await client.ssoConnections.createSaml({ ...shared, metadata });
      else
        await client.ssoConnections.createOidc({
          ...shared,
          issuer: issuer.trim(),
          client_id: clientId.trim(),
          client_secret: clientSecret,
        });
      onClose();
    },
    { changes: [['sso-connections']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined);
  };
  return (
    <Dialog title={kind === 'saml' ? w.addSaml : w.addOidc} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={w.name}>
          <Input required autoFocus maxLength={300} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        {kind === 'saml' ? (
          <Field label={w.metadata} hint={w.metadataHint}>
            <TextArea
              required
              rows={6}
              spellCheck={false}
              maxLength={200_000}
              className="font-mono"
              value={metadata}
              onChange={(event) => setMetadata(event.target.value)}
            />
          </Field>
        ) : (
          <>
            <Field label={w.issuer} hint={w.issuerHint}>
              <Input
                required
                type="url"
                maxLength={2000}
                value={issuer}
                onChange={(event) => setIssuer(event.target.value)}
              />
            </Field>
            <Field label={w.clientId}>
              <Input
                required
                maxLength={300}
                autoComplete="off"
                value={clientId}
                onChange={(event) => setClientId(event.target.value)}
              />
            </Field>
            <Field label={w.clientSecret} hint={w.clientSecretHint}>
              <Input
                required
                type="password"
                maxLength={1000}
                autoComplete="off"
                value={clientSecret}
                onChange={(event) => setClientSecret(event.target.value)}
              />
            </Field>
          </>
        )}
        <Field label={w.defaultRole} hint={w.defaultRoleHint}>
          <Select
            value={role}
            options={defaultRoles.map((value) => ({ value, label: c.roles[value] }))}
            onValue={setRole}
          />
        </Field>
        {add.error && <SsoRefusal error={add.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={add.isPending}>
            {c.create}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
