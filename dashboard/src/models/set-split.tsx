import { LastroError, type Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { type FailedGate, FailedGates, gatesIn, reasonMin } from './failed-gates.tsx';
import { splitWords } from './split-words.ts';
import type { Model, Version } from './use-models.ts';

/** The model of a split, and the version that answers the share. */
export type SplitOf = { readonly model: Model; readonly version: Version };

/** Has a version answer a share of an alias, or another share. */
export function SetSplit({
  model,
  version,
  aliases,
  split,
  onClose,
}: SplitOf & { readonly aliases: readonly string[]; readonly split?: Schemas['AliasSplit']; onClose(): void }) {
  const w = useWords(splitWords);
  const c = useWords(common);
  const client = useClient();
  const [alias, setAlias] = useState(aliases[0]);
  const [percent, setPercent] = useState(String(Number((100 * (split?.share ?? 0.1)).toPrecision(12))));
  const [gates, setGates] = useState<readonly FailedGate[] | null>(null);
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<unknown>(null);
  const share = percent.trim() === '' ? Number.NaN : Number(percent) / 100;
  const isWrong = !(share >= 0.001 && share <= 0.999);
  const set = useChange(
    () =>
      client.aliasSplits.set(model.id, alias, {
        version_id: version.id,
        share,
        ...(gates && { override: { reason } }),
      }),
    { changes: [['models'], ['alias-splits', model.id]], isQuiet: true },
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRefusal(null);
    try {
      await set.mutateAsync(undefined);
      if (!split) say(w.started(alias));
      onClose();
    } catch (error) {
      if (error instanceof LastroError && error.code === 'gates_failed') setGates(gatesIn(error));
      else setRefusal(error);
    }
  };
  return (
    <Dialog title={split ? w.change : w.start} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={w.alias}>
          <Select value={alias} options={aliases.map((value) => ({ value, label: value }))} onValue={setAlias} />
        </Field>
        <Field label={w.share} hint={w.shareHint}>
          <Input
            type="number"
            min={0.1}
            max={99.9}
            step="any"
            aria-invalid={isWrong || undefined}
            className="!w-28 text-right tabular-nums"
            value={percent}
            onChange={({ target }) => setPercent(target.value)}
          />
        </Field>
        {gates && <FailedGates gates={gates} reason={reason} onReason={setReason} />}
        {refusal !== null && <Refusal error={refusal} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button
            submits
            kind="primary"
            isBusy={set.isPending}
            disabled={isWrong || (gates !== null && reason.trim().length < reasonMin)}
          >
            {gates ? w.override : split ? w.save : w.start}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
