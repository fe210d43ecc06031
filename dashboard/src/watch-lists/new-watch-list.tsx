import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useModelList } from '../models/use-models.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { KeysField, useKeysMistake } from './keys-field.tsx';
import { readKeys } from './read-keys.ts';
import { watchListWords } from './words.ts';

const kinds = ['band', 'difference', 'share'] as const;
type Kind = (typeof kinds)[number];

/** Asks for a name, an alias of a model, what a move is and keys, and makes a watch list of them. */
export function NewWatchList({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const w = useWords(watchListWords);
  const c = useWords(common);
  const client = useClient();
  const models = useModelList();
  const [name, setName] = useState('');
  const [model, setModel] = useState('');
  const [kind, setKind] = useState<Kind>('band');
  const [amount, setAmount] = useState('');
  const [text, setText] = useState('');
  const [isSent, setSent] = useState(false);
  const options = (models.data?.data ?? []).flatMap(({ id, name: called, aliases }) =>
    aliases.map(({ alias }) => ({ value: `${id}/${alias}`, label: `${called} / ${alias}` })),
  );
  const chosen = options.find(({ value }) => value === model)?.value ?? options[0]?.value ?? '';
  const by = Number(amount.replace(',', '.'));
  const amountMistake = kind !== 'band' && !(by > 0 && Number.isFinite(by)) ? w.amountBad : undefined;
  const keysMistake = useKeysMistake(text, true);
  const make = useChange(
    () =>
      client.watchLists.create({
        ...{ name: name.trim(), model: chosen, keys: readKeys(text) },
        ...(kind === 'difference' && { threshold: { difference: by } }),
        ...(kind === 'share' && { threshold: { share: by / 100 } }),
      }),
    { changes: [['watch-lists']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (amountMistake || keysMistake) return;
    make.mutate(undefined, {
      onSuccess: ({ id }) => {
        say(w.made);
        onMade(id);
      },
    });
  };
  return (
    <Dialog title={w.newOne} description={w.newBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={c.name}>
          <Input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label={w.model} hint={models.data && options.length === 0 ? w.noModel : undefined}>
          <Select value={chosen} options={options} onValue={setModel} required />
        </Field>
        <Field label={w.moveBy} hint={kind === 'band' ? w.byBandHint : undefined}>
          <Select
            value={kind}
            options={[
              { value: 'band', label: w.byBand },
              { value: 'difference', label: w.byDifference },
              { value: 'share', label: w.byShare },
            ]}
            onValue={setKind}
          />
        </Field>
        {kind !== 'band' && (
          <Field label={w.amount} error={isSent && amountMistake}>
            <Input inputMode="decimal" value={amount} onChange={({ target }) => setAmount(target.value)} />
          </Field>
        )}
        <KeysField text={text} onText={setText} error={isSent ? keysMistake : undefined} />
        {make.error && <Refusal error={make.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={make.isPending} disabled={chosen === ''}>
            {c.create}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
