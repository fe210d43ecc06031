import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Checkbox, Field, Input, TextArea } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { sftpWords } from './words.ts';

export type NewSftpUser = Schemas['NewSftpUser'];

export function NewUser({
  isOpen,
  onClose,
  onCreated,
}: {
  readonly isOpen: boolean;
  onClose(): void;
  onCreated(user: NewSftpUser): void;
}) {
  const w = useWords(sftpWords);
  return (
    <Dialog title={w.create} isOpen={isOpen} onClose={onClose}>
      <Form
        onClose={onClose}
        onCreated={(user) => {
          onClose();
          onCreated(user);
        }}
      />
    </Dialog>
  );
}

function Form({ onClose, onCreated }: { onClose(): void; onCreated(user: NewSftpUser): void }) {
  const w = useWords(sftpWords);
  const c = useWords(common);
  const { client } = useSession();
  const [name, setName] = useState('');
  const [keys, setKeys] = useState('');
  const [asksPassword, setAsksPassword] = useState(false);
  const lines = keys
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const create = useChange(
    () =>
      client.sftpUsers.create({
        name: name.trim(),
        public_keys: lines,
        password: lines.length === 0 || asksPassword,
      }),
    { changes: [['sftp-users']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={w.name} hint={w.nameHint}>
        <Input value={name} required maxLength={300} autoFocus onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={w.publicKeys} hint={w.publicKeysHint}>
        <TextArea
          value={keys}
          rows={3}
          spellCheck={false}
          className="font-mono text-meta"
          onChange={(event) => setKeys(event.target.value)}
        />
      </Field>
      {lines.length > 0 && (
        <Checkbox
          label={w.withPassword}
          checked={asksPassword}
          onChange={(event) => setAsksPassword(event.target.checked)}
        />
      )}
      <p className="text-ink3 text-meta">{w.actsAs}</p>
      {create.isError && <Refusal error={create.error} />}
      <DialogFoot>
        <Button onClick={onClose}>{c.cancel}</Button>
        <Button submits kind="primary" isBusy={create.isPending} disabled={name.trim() === ''}>
          {c.create}
        </Button>
      </DialogFoot>
    </form>
  );
}
