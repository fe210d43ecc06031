import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { endOfDay, isDay, startOfDay } from '../kit/day.ts';
import type { Days } from '../kit/days-between.tsx';
import { DaysField } from '../kit/days-field.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useModelList } from '../models/use-models.ts';
import { common } from '../words/common.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { replaysWords } from './replays-words.ts';

/** Asks which predictions are answered again, and starts that. */
export function NewReplay({ onClose, onStarted }: { onClose(): void; onStarted(id: string): void }) {
  const w = useWords(replaysWords);
  const c = useWords(common);
  const client = useClient();
  const timeZone = useTimeZone();
  const models = useModelList();
  const [days, setDays] = useState<Days>({});
  const { from, to } = days;
  const [model, setModel] = useState('');
  const isReversed = isDay(from) && isDay(to) && from > to;
  const start = useChange(
    () =>
      client.replays.create({
        predictions: {
          ...(isDay(from) && { from: startOfDay(from, timeZone) }),
          ...(isDay(to) && { to: endOfDay(to, timeZone) }),
          ...(model !== '' && { model }),
        },
      }),
    { changes: [['replays']], isQuiet: true },
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isReversed) return;
    // A refusal is shown below.
    const started = await start.mutateAsync(undefined).catch(() => null);
    if (!started) return;
    say(w.began);
    onStarted(started.id);
    onClose();
  };
  return (
    <Dialog title={w.newOne} description={w.newBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <DaysField
          label={w.days}
          days={days}
          onDays={setDays}
          hint={w.daysHint}
          mistake={isReversed ? c.daysReversed : undefined}
        />
        <Field label={w.model}>
          <Select
            value={model}
            options={[
              { value: '', label: w.allModels },
              ...(models.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []),
            ]}
            onValue={setModel}
          />
        </Field>
        {start.error && <Refusal error={start.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={start.isPending} disabled={isReversed}>
            {w.start}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
