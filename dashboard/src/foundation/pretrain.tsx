import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { useTables } from '../data/use-contracts.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { foundationWords } from './words.ts';

/** Starts the pre-training of a table, and leads to its run. */
export function Pretrain({ onClose }: { onClose(): void }) {
  const w = useWords(foundationWords);
  const c = useWords(common);
  const client = useClient();
  const navigate = useNavigate();
  const tables = useTables();
  const listId = useId();
  const [entity, setEntity] = useState('');
  const start = useChange(
    async (entity: string) => {
      const { id } = await client.trainingRuns.create({ entity });
      await navigate({ to: '/training-runs/$run_id', params: { run_id: id } });
    },
    { changes: [['training-runs']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(entity.trim());
  };
  return (
    <Dialog title={w.pretrain} description={w.pretrainBody} isOpen onClose={onClose} width="max-w-md">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={w.table}>
          <Input
            required
            autoFocus
            list={listId}
            autoComplete="off"
            maxLength={300}
            value={entity}
            onChange={(event) => setEntity(event.target.value)}
          />
        </Field>
        <datalist id={listId}>
          {tables.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {start.error && <Refusal error={start.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={start.isPending}>
            {w.start}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
