import { LastroError, type Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Checkbox, Field, Input } from '../kit/field.tsx';
import { Detail, Refusal } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { monitorWords } from './monitor-words.ts';

type Monitor = Schemas['Monitor'];
type Seen = { readonly monitor: Monitor; readonly etag: string };

/** How a model is watched: whether its aliases go back by themselves, and, for those who may, all of it to be set. */
export function MonitorSettings({ modelId }: { readonly modelId: string }) {
  const w = useWords(monitorWords);
  const client = useClient();
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [round, setRound] = useState(0);
  const { data, refetch } = useData(['models', modelId, 'monitor'], async (signal): Promise<Seen> => {
    const { data, response } = await client.monitors.get(modelId, { signal }).withResponse();
    return { monitor: data, etag: response.headers.get('etag') ?? '*' };
  });
  if (!data) return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-2" title={w.rollbackHint}>
      {data.monitor.auto_rollback ? w.on : w.notOn}
      {can('manage_aliases') && <Button onClick={() => setOpen(true)}>{w.change}</Button>}
      {isOpen && (
        <SettingsDialog
          key={round}
          seen={data}
          onClose={() => setOpen(false)}
          onOvertaken={async () => {
            await refetch();
            setRound(round + 1);
          }}
        />
      )}
    </span>
  );
}

/** What the service takes of each number. */
const bounds = { days: [1, 365], outcomes: [50, 100_000] } as const;

function SettingsDialog({ seen, onClose, onOvertaken }: { readonly seen: Seen; onClose(): void; onOvertaken(): void }) {
  const w = useWords(monitorWords);
  const c = useWords(common);
  const client = useClient();
  // As it was when the dialog opened: what is fetched meanwhile must not lend a newer ETag to what was typed before.
  const [{ monitor, etag }] = useState(seen);
  const [enabled, setEnabled] = useState(monitor.enabled);
  const [goesBack, setGoesBack] = useState(monitor.auto_rollback);
  const [days, setDays] = useState(String(monitor.rollback_days));
  const [outcomes, setOutcomes] = useState(String(monitor.outcomes_min));
  const [from, setFrom] = useState(monitor.reference_from ?? '');
  const save = useChange(
    () =>
      client.monitors.set(
        monitor.model_id,
        {
          ...{ enabled, auto_rollback: goesBack, rollback_days: Number(days), outcomes_min: Number(outcomes) },
          reference_from: from === '' ? null : from,
        },
        { ifMatch: etag },
      ),
    { changes: [['models', monitor.model_id]], isQuiet: true },
  );
  const isWithin = (text: string, [least, most]: readonly [number, number]) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  const wrongDays = !isWithin(days, bounds.days) && w.wrongDays;
  const wrongOutcomes = !isWithin(outcomes, bounds.outcomes) && w.wrongOutcomes;
  const refused = save.error instanceof LastroError ? save.error.errors : [];
  const atDay = refused.find(({ pointer }) => pointer === '/reference_from');
  const isOvertaken = save.error instanceof LastroError && save.error.code === 'precondition_failed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrongDays || wrongOutcomes) return;
    save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={w.change} description={w.changeBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Checkbox label={w.enabled} checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
        <Checkbox
          label={w.rollback}
          hint={w.rollbackHint}
          checked={goesBack}
          onChange={({ target }) => setGoesBack(target.checked)}
        />
        <Field label={w.days} hint={w.daysHint} error={wrongDays}>
          <Input
            inputMode="numeric"
            className="!w-32 tabular-nums"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
        </Field>
        <Field label={w.outcomes} hint={w.outcomesHint} error={wrongOutcomes}>
          <Input
            inputMode="numeric"
            className="!w-32 tabular-nums"
            value={outcomes}
            onChange={({ target }) => setOutcomes(target.value)}
          />
        </Field>
        <Field
          label={w.from}
          hint={w.fromHint}
          error={atDay && <Detail because={atDay.because}>{atDay.detail}</Detail>}
          isOptional
        >
          <Input type="date" className="!w-44" value={from} onChange={({ target }) => setFrom(target.value)} />
        </Field>
        {isOvertaken ? (
          <div role="alert" className="flex flex-wrap items-center gap-3 text-bad">
            {w.overtaken}
            <Button onClick={onOvertaken}>{w.showNow}</Button>
          </div>
        ) : (
          save.error && !atDay && <Refusal error={save.error} />
        )}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={save.isPending} disabled={Boolean(wrongDays || wrongOutcomes)}>
            {w.save}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
