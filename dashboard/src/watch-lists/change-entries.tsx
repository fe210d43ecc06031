import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Segmented } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { KeysField, useKeysMistake } from './keys-field.tsx';
import { readKeys } from './read-keys.ts';
import { watchListWords } from './words.ts';

type Act = 'add' | 'remove' | 'replace';

/** Adds pasted keys to a list, removes them, or makes them all that it has. */
export function ChangeEntries({ id, onClose }: { readonly id: string; onClose(): void }) {
  const w = useWords(watchListWords);
  const c = useWords(common);
  const { watchLists } = useClient();
  const [act, setAct] = useState<Act>('add');
  const [text, setText] = useState('');
  const [isSent, setSent] = useState(false);
  const mistake = useKeysMistake(text, act !== 'replace');
  const change = useChange(
    () => {
      const body = { keys: readKeys(text) };
      if (act === 'add') return watchLists.addEntries(id, body);
      return act === 'remove' ? watchLists.removeEntries(id, body) : watchLists.setEntries(id, body);
    },
    { changes: [['watch-lists']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (mistake) return;
    change.mutate(undefined, {
      onSuccess: () => {
        say(w.changed);
        onClose();
      },
    });
  };
  return (
    <Dialog title={w.change} description={w.changeBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Segmented
          label={w.what}
          value={act}
          options={[
            { value: 'add', label: w.add },
            { value: 'remove', label: w.take },
            { value: 'replace', label: w.replace },
          ]}
          onValue={setAct}
        />
        <KeysField text={text} onText={setText} error={isSent ? mistake : undefined} />
        {change.error && <Refusal error={change.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={change.isPending}>
            {c.save}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
