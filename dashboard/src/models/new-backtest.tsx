import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { dayBefore, dayIn, endOfDay, isDay, startOfDay } from '../kit/day.ts';
import type { Days } from '../kit/days-between.tsx';
import { DaysField } from '../kit/days-field.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useSayVersion } from '../training-runs/say-version.ts';
import { common } from '../words/common.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { backtestWords } from './backtest-words.ts';
import { CutoffField, readCutoff, scaleOf } from './cutoff-field.tsx';
import { type Model, useVersions, type Version } from './use-models.ts';

/** Days that are chosen at first, as the service does where none are. */
const usualDays = 90;
/** Days of the calendar, both ends among them, that a span of 366 days can have. */
const daysMost = 366;
const dayMs = 24 * 60 * 60_000;

/** Asks of which days, against what and at which cutoff, and starts a backtest. */
export function NewBacktest({
  model,
  version,
  onClose,
  onStarted,
}: {
  readonly model: Model;
  readonly version: Version;
  onClose(): void;
  onStarted(id: string): void;
}) {
  const w = useWords(backtestWords);
  const c = useWords(common);
  const client = useClient();
  const timeZone = useTimeZone();
  const { data: versions = [] } = useVersions(model.id);
  const sayVersion = useSayVersion();
  const [today] = useState(() => dayIn(timeZone, Date.now()));
  const [days, setDays] = useState<Days>({
    from: dayBefore(today, usualDays - 1),
    to: today,
  });
  const [against, setAgainst] = useState('');
  const [text, setText] = useState('');
  const scale = scaleOf(model);
  const cutoff = scale === null ? undefined : readCutoff(scale, text);
  const { from, to } = days;
  const wrongDays =
    !isDay(from) || !isDay(to)
      ? undefined
      : from > to
        ? c.daysReversed
        : Date.parse(to) - Date.parse(from) >= daysMost * dayMs
          ? w.daysOver
          : undefined;
  const start = useChange(
    () =>
      client.backtests.create({
        model: `${model.id}/${version.id}`,
        ...(against !== '' && { compare_with: `${model.id}/${against}` }),
        ...(isDay(from) && { from: startOfDay(from, timeZone) }),
        ...(isDay(to) && { until: endOfDay(to, timeZone) }),
        ...(cutoff && { cutoff }),
      }),
    { changes: [['models', model.id, 'backtests']], isQuiet: true },
  );
  const isWrong = wrongDays !== undefined || cutoff === null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isWrong) return;
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
        <DaysField label={w.days} days={days} onDays={setDays} hint={w.daysHint} mistake={wrongDays} />
        <Field label={w.against} hint={w.againstHint}>
          <Select
            value={against}
            options={[
              { value: '', label: w.answered },
              ...versions.flatMap((one) => (one.id === version.id ? [] : { value: one.id, label: sayVersion(one) })),
            ]}
            onValue={setAgainst}
          />
        </Field>
        <CutoffField model={model} text={text} onText={setText} />
        {start.error && <Refusal error={start.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={start.isPending} disabled={isWrong}>
            {w.start}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
