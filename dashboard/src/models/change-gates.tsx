import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Checkbox, Input } from '../kit/field.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Refusal } from '../kit/states.tsx';
import { readNumber, writeNumber } from '../playground/locale-number.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { gateWords } from './gate-words.ts';
import { SegmentColumns } from './segment-columns.tsx';
import type { Version } from './use-models.ts';
import { validationWords } from './validation-words.ts';

type Gates = Schemas['ModelGates'];
type CheckName = keyof Gates['checks'];
type Asked = { readonly threshold: string; readonly required: boolean; readonly must_tell: boolean };

/** For those who may: opens the gates of the model of a version to change them. */
export function ChangeGates({ version }: { readonly version: Version }) {
  const w = useWords(gateWords);
  const { can } = useSession();
  const { data: gates } = useGates(version.model_id);
  const [isOpen, setOpen] = useState(false);
  if (!can('manage_aliases') || !gates) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{w.change}</Button>
      {isOpen && <GatesDialog version={version} gates={gates} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The gates of a model by its id. */
export function useGates(modelId: string) {
  const client = useClient();
  return useData(['models', modelId, 'gates'], (signal) => client.models.gates.get(modelId, { signal }));
}

/** What a version must have passed before an alias of the model moves to it, changed by hand. */
function GatesDialog({
  version,
  gates,
  onClose,
}: {
  readonly version: Version;
  readonly gates: Gates;
  onClose(): void;
}) {
  const w = useWords(gateWords);
  const v = useWords(validationWords);
  const c = useWords(common);
  const client = useClient();
  const { can } = useSession();
  const { language } = useFormat();
  const [checks, setChecks] = useState(
    () =>
      new Map(
        (Object.keys(gates.checks) as CheckName[]).map((name): [CheckName, Asked] => {
          const { threshold, ...rest } = gates.checks[name];
          return [name, { ...rest, threshold: writeNumber(threshold, language, false) }];
        }),
      ),
  );
  const [approvals, setApprovals] = useState(gates.approvals);
  const [automatic, setAutomatic] = useState(gates.automatic);
  const [segments, setSegments] = useState<readonly string[]>(gates.segments);
  const save = useChange(
    () =>
      client.models.gates.set(gates.model_id, {
        checks: Object.fromEntries(
          Array.from(checks, ([name, one]) => [name, { ...one, threshold: readNumber(one.threshold, language)! }]),
        ),
        ...{ approvals, automatic, segments: [...segments] },
      }),
    { changes: [['models', gates.model_id, 'gates']], isQuiet: true },
  );
  const set = (name: CheckName, change: Partial<Asked>) =>
    setChecks((before) => new Map(before).set(name, { ...before.get(name)!, ...change }));
  const isNumber = ({ threshold }: Asked) => readNumber(threshold, language) !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={w.change} description={w.changeBody} isOpen onClose={onClose} width="max-w-3xl">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Ledger
          label={v.checks}
          rows={Array.from(checks)}
          keyOf={([name]) => name}
          columns={[
            { key: 'check', head: v.check, cell: ([name]) => v.checkNames[name] },
            {
              key: 'threshold',
              head: v.threshold,
              cell: ([name, { threshold }]) => (
                <Input
                  className="!w-24 tabular-nums"
                  inputMode="decimal"
                  aria-label={w.thresholdOf(v.checkNames[name])}
                  aria-invalid={!isNumber(checks.get(name)!) || undefined}
                  value={threshold}
                  onChange={({ target }) => set(name, { threshold: target.value })}
                />
              ),
            },
            {
              key: 'required',
              head: v.required,
              cell: ([name, { required }]) => (
                <Checkbox
                  label={<span className="sr-only">{w.requiredOf(v.checkNames[name])}</span>}
                  checked={required}
                  onChange={({ target }) =>
                    set(name, { required: target.checked, ...(!target.checked && { must_tell: false }) })
                  }
                />
              ),
            },
            {
              key: 'must_tell',
              head: w.mustTell,
              cell: ([name, { required, must_tell: mustTell }]) => (
                <Checkbox
                  label={<span className="sr-only">{w.mustTellOf(v.checkNames[name])}</span>}
                  checked={mustTell}
                  disabled={!required}
                  onChange={({ target }) => set(name, { must_tell: target.checked })}
                />
              ),
            },
          ]}
        />
        <SegmentColumns version={version} chosen={segments} onChosen={setSegments} error={null} />
        <Checkbox
          label={w.twoPeople}
          hint={w.twoPeopleHint}
          checked={approvals > 0}
          onChange={({ target }) => setApprovals(target.checked ? 1 : 0)}
        />
        <Checkbox
          label={w.automatic}
          hint={w.automaticHint}
          checked={automatic}
          onChange={({ target }) => setAutomatic(target.checked)}
        />
        {!can('archive_workspaces') && <p className="text-ink2">{w.onlyCreators}</p>}
        {save.error && <Refusal error={save.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button
            submits
            kind="primary"
            isBusy={save.isPending}
            blocked={!checks.values().every(isNumber) && w.notNumbers}
          >
            {w.save}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
