import { LastroError } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Detail, Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useSayVersion } from '../training-runs/say-version.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { useGates } from './change-gates.tsx';
import { newValidationWords } from './new-validation-words.ts';
import { SegmentColumns } from './segment-columns.tsx';
import { type Model, useVersions, type Version } from './use-models.ts';
import { validationWords } from './validation-words.ts';

/** Asks against what, by which segments and as of which day a version is held, and starts the validation. */
export function NewValidation({
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
  const w = useWords(newValidationWords);
  const v = useWords(validationWords);
  const c = useWords(common);
  const client = useClient();
  const { data: versions = [] } = useVersions(model.id);
  const sayVersion = useSayVersion();
  const aliases = model.aliases.filter(({ version_id: id }) => id !== version.id).map(({ alias }) => alias);
  const [against, setAgainst] = useState(aliases.length === 0 ? '' : `alias ${aliases[0]}`);
  const { data: gates } = useGates(model.id);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const segments = chosen ?? gates?.segments ?? [];
  const [day, setDay] = useState('');
  const [kind, name] = against.split(' ');
  const start = useChange(
    () =>
      client.models.validations.create(model.id, version.id, {
        ...(kind === 'alias' && { alias: name }),
        ...(kind === 'version' && { compare_with: name }),
        // Those of the gates hold for whoever has chosen none.
        ...(chosen !== null && { segments: [...chosen] }),
        ...(day !== '' && { reference_date: day }),
      }),
    { changes: [['models', model.id, 'validations']], isQuiet: true },
  );
  const places = placesOf(start.error);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A refusal is shown at its field, or below.
    const started = await start.mutateAsync(undefined).catch(() => null);
    if (!started) return;
    say(v.asked);
    onStarted(started.id);
    onClose();
  };
  return (
    <Dialog title={v.newOne} description={w.newBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={v.against} hint={w.againstHint} error={places.against}>
          <Select
            value={against}
            options={[
              ...aliases.map((alias) => ({ value: `alias ${alias}`, label: w.alias(alias) })),
              ...versions.flatMap((one) =>
                one.id === version.id ? [] : { value: `version ${one.id}`, label: sayVersion(one) },
              ),
              { value: '', label: w.itself },
            ]}
            onValue={setAgainst}
          />
        </Field>
        <SegmentColumns version={version} chosen={segments} onChosen={setChosen} error={places.segments} />
        <Field label={w.day} hint={w.dayHint} error={places.day} isOptional>
          <Input type="date" className="!w-44" value={day} onChange={({ target }) => setDay(target.value)} />
        </Field>
        {start.error && !places.isSaid && <Refusal error={start.error} />}
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

/** What a refusal says of each field; `isSaid` where the fields say all of it. */
function placesOf(error: unknown) {
  const told = error instanceof LastroError ? error.errors : [];
  const at = (pattern: RegExp) => {
    const place = told.find(({ pointer }) => pointer !== undefined && pattern.test(pointer));
    return place && <Detail because={place.because}>{place.detail}</Detail>;
  };
  const fields = { against: /^\/(alias|compare_with)$/, segments: /^\/segments/, day: /^\/reference_date$/ };
  const isAt = (pointer: string | undefined) => Object.values(fields).some((pattern) => pattern.test(pointer ?? ''));
  return {
    ...{ against: at(fields.against), segments: at(fields.segments), day: at(fields.day) },
    isSaid: told.length > 0 && told.every(({ pointer }) => isAt(pointer)),
  };
}
