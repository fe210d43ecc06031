import { type FormEvent, useState } from 'react';
import { type Permission, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Checkbox, Field, Input, Segmented, Select } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { permissionNames, permissionWords } from '../words/permissions.ts';
import { useWords } from '../words/words.ts';
import type { NewApiKey } from './key.ts';
import { keyWords } from './words.ts';

const choices = ['everything', 'predict', 'batches', 'choose'] as const;
const lifetimes = ['', '30', '90', '365'] as const;

/** What keys of the two most common uses need. */
const presets: Readonly<Record<'predict' | 'batches', readonly Permission[]>> = {
  predict: ['view_models', 'invoke_predictions'],
  batches: ['view_models', 'upload_files', 'view_files', 'create_batches', 'view_batches', 'download_results'],
};

export function NewKey({
  isOpen,
  onClose,
  onCreated,
}: {
  readonly isOpen: boolean;
  onClose(): void;
  onCreated(key: NewApiKey): void;
}) {
  const w = useWords(keyWords);
  return (
    <Dialog title={w.create} isOpen={isOpen} onClose={onClose}>
      <Form
        onClose={onClose}
        onCreated={(key) => {
          onClose();
          onCreated(key);
        }}
      />
    </Dialog>
  );
}

function Form({ onClose, onCreated }: { onClose(): void; onCreated(key: NewApiKey): void }) {
  const w = useWords(keyWords);
  const c = useWords(common);
  const says = useWords(permissionWords);
  const { client, can } = useSession();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof choices)[number]>('everything');
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set());
  const [days, setDays] = useState<(typeof lifetimes)[number]>('90');
  const mine = permissionNames.filter(can);
  const scopes =
    kind === 'everything'
      ? null
      : kind === 'choose'
        ? mine.filter((one) => chosen.has(one))
        : presets[kind].filter(can);
  const create = useChange(
    () =>
      client.apiKeys.create({
        name: name.trim(),
        scopes: scopes as never,
        expires_in_days: days === '' ? null : Number(days),
      }),
    { changes: [['api-keys']], isQuiet: true },
  );
  const toggle = (permission: Permission) => {
    const next = new Set(chosen);
    if (!next.delete(permission)) next.add(permission);
    setChosen(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: onCreated });
  };
  const lifetimeLabels = { '': w.noExpiry, '30': w.inDays('30'), '90': w.inDays('90'), '365': w.inYear };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={w.name} hint={w.nameHint}>
        <Input value={name} required maxLength={300} autoFocus onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className="flex flex-col items-start gap-2">
        <span className="font-medium text-body">{w.may}</span>
        <Segmented
          label={w.may}
          options={choices.map((value) => ({ value, label: w[value] }))}
          value={kind}
          onValue={setKind}
        />
        {kind === 'choose' ? (
          <div className="grid w-full gap-x-4 sm:grid-cols-2">
            {mine.map((permission) => (
              <Checkbox
                key={permission}
                label={says[permission]}
                checked={chosen.has(permission)}
                onChange={() => toggle(permission)}
              />
            ))}
          </div>
        ) : (
          scopes && (
            <ul className="list-disc pl-4 text-ink2">
              {scopes.map((permission) => (
                <li key={permission}>{says[permission]}</li>
              ))}
            </ul>
          )
        )}
        <p className="text-ink3 text-meta">{kind === 'everything' ? w.everythingHint : w.narrowHint}</p>
      </div>
      <Field label={w.expiry} className="max-w-48">
        <Select
          value={days}
          options={lifetimes.map((value) => ({ value, label: lifetimeLabels[value] }))}
          onValue={setDays}
        />
      </Field>
      {create.isError && <Refusal error={create.error} />}
      <DialogFoot>
        <span className="mr-auto self-center text-ink2 text-meta">
          {name.trim() === '' ? w.nameFirst : scopes?.length === 0 && w.nothingChosen}
        </span>
        <Button onClick={onClose}>{c.cancel}</Button>
        <Button submits kind="primary" isBusy={create.isPending} disabled={name.trim() === '' || scopes?.length === 0}>
          {c.create}
        </Button>
      </DialogFoot>
    </form>
  );
}
