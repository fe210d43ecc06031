import { LastroError, NotFoundError } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot, TypedConfirmation } from '../kit/dialog.tsx';
import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Refusal } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { AliasChange } from './alias-change.tsx';
import { useRollBack } from './alias-line.tsx';
import { compareWords } from './compare-words.ts';
import { type FailedGate, FailedGates, gatesIn, reasonMin } from './failed-gates.tsx';
import { inputChanges, isBreaking } from './input-changes.ts';
import { foundOf } from './judge.ts';
import { type Model, useVersion, type Version, type VersionSummary } from './use-models.ts';
import { validationWords } from './validation-words.ts';
import { versionWords } from './version-words.ts';
import { Warnings } from './warnings.tsx';

const usual = ['production', 'challenger', 'baseline'] as const;
const other = '…';
const aliasPattern = /^[a-z][a-z0-9-]{0,62}$/;

/** Points an alias at a version: chosen here, confirmed by typing its name where it points elsewhere. */
export function MoveAlias({
  model,
  version,
  versions,
}: {
  readonly model: Model;
  readonly version: Version;
  readonly versions: readonly VersionSummary[];
}) {
  const w = useWords(compareWords);
  const names = [...new Set([...usual, ...model.aliases.map(({ alias }) => alias)])];
  const [chosen, setChosen] = useState<string>('production');
  const [written, setWritten] = useState('');
  const [isAsked, setAsked] = useState(false);
  const alias = chosen === other ? written : chosen;
  const pointsAt = model.aliases.find((one) => one.alias === alias)?.version_id;
  const numberOf = (id: string | undefined) => versions.find((one) => one.id === id)?.number;
  const isHere = pointsAt === version.id;
  return (
    <Section title={w.move}>
      <Panel className="p-4">
        <div className="flex flex-wrap items-end gap-3">
          <Field label={w.alias}>
            <Select
              className="!w-64"
              value={chosen}
              options={[
                ...names.map((name) => {
                  const number = numberOf(model.aliases.find((one) => one.alias === name)?.version_id);
                  return {
                    value: name,
                    label: `${name} · ${number === undefined ? w.pointsNowhere : w.pointsAt(number)}`,
                  };
                }),
                { value: other, label: w.other },
              ]}
              onValue={setChosen}
            />
          </Field>
          {chosen === other && (
            <Field label={w.alias} hint={w.aliasHint}>
              <Input className="!w-56" value={written} onChange={(event) => setWritten(event.target.value)} />
            </Field>
          )}
          <Button
            kind="primary"
            blocked={(version.status !== 'active' && w.inactive) || (isHere && w.alreadyHere(alias))}
            disabled={!aliasPattern.test(alias)}
            onClick={() => setAsked(true)}
          >
            {(pointsAt === undefined ? w.setAction : w.moveAction)(alias || w.alias)}
          </Button>
        </div>
        <p className="mt-2 text-ink2">{isHere ? w.alreadyHere(alias) : w.moveBody(version.number)}</p>
        {isAsked && (
          <ConfirmMove
            key={alias}
            model={model}
            alias={alias}
            version={version}
            versions={versions}
            onClose={() => setAsked(false)}
          />
        )}
      </Panel>
    </Section>
  );
}

/** Where an alias pointed when it was last looked at; null: it does not exist. */
type Seen = { readonly versionId: string; readonly etag: string; readonly at: string } | null;

function ConfirmMove({
  model,
  alias,
  version,
  versions,
  onClose,
}: {
  readonly model: Model;
  readonly alias: string;
  readonly version: Version;
  readonly versions: readonly VersionSummary[];
  onClose(): void;
}) {
  const w = useWords(compareWords);
  const v = useWords(versionWords);
  const o = useWords(validationWords);
  const c = useWords(common);
  const format = useFormat();
  const client = useClient();
  const rollBack = useRollBack(model.id);
  const [typed, setTyped] = useState('');
  const [isAccepted, setAccepted] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [gates, setGates] = useState<readonly FailedGate[] | null>(null);
  const [reason, setReason] = useState('');
  const [conflict, setConflict] = useState<{ readonly now: Seen } | null>(null);
  const look = async (signal?: AbortSignal): Promise<Seen> => {
    const { aliases } = await client.models.get(model.id, signal ? { signal } : {});
    if (!aliases.some((one) => one.alias === alias)) return null;
    try {
      const { data, response } = await client.models.aliases
        .get(model.id, alias, signal ? { signal } : {})
        .withResponse();
      return { versionId: data.version_id, etag: response.headers.get('etag') ?? '*', at: data.updated_at };
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  };
  // What the person sees when deciding: the move is refused where it is no longer so.
  const first = useData(['models', model.id, 'alias', alias], look);
  const seen = conflict ? conflict.now : first.data;
  const before = useVersion(model.id, seen?.versionId);
  const breaking = before.data ? inputChanges(before.data.inputs, version.inputs).filter(isBreaking) : [];
  const numberOf = (id: string) => versions.find((one) => one.id === id)?.number;
  const move = useChange(
    (from: Seen) =>
      client.models.aliases
        .set(
          model.id,
          alias,
          { version_id: version.id, ...(gates && { override: { reason } }) },
          from ? { ifMatch: from.etag } : { ifNoneMatch: '*' },
        )
        .withResponse(),
    { changes: [['models']], isQuiet: true },
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (seen === undefined) return;
    setRefusal(null);
    try {
      const { response } = await move.mutateAsync(seen);
      const ifMatch = response.headers.get('etag') ?? '*';
      const back = seen && { id: seen.versionId, number: numberOf(seen.versionId) ?? 0 };
      say(w.moved(alias, version.number), {
        action: back ? { label: w.rollBack, run: () => rollBack.mutate({ alias, to: back, ifMatch }) } : undefined,
      });
      onClose();
    } catch (error) {
      if (error instanceof LastroError && error.code === 'precondition_failed') {
        setTyped('');
        setConflict({ now: await look() });
      } else if (error instanceof LastroError && error.code === 'gates_failed') setGates(gatesIn(error));
      else setRefusal(error);
    }
  };
  const said = {
    ...{ removed: v.gone, required: v.nowRequired, added: v.added },
    ...{ type: v.typeChanged, range: v.rangeNarrowed },
  } as const;
  // A new alias takes no answers away from any version.
  const isMoved = seen !== null;
  const isReady = first.isSuccess && (!seen || before.isSuccess);
  return (
    <Dialog title={w.moveTo(alias, version.number)} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {conflict ? (
          <div role="alert" className="rounded-[6px] border border-warn/40 bg-warn-soft px-3 py-2">
            <p className="font-medium">{w.conflict(alias)}</p>
            <p>
              {conflict.now
                ? w.conflictNow(`v${numberOf(conflict.now.versionId) ?? '?'}`, format.dateTime(conflict.now.at))
                : w.conflictGone}
            </p>
          </div>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            <AliasTag alias={alias} />
            {seen ? w.moveFrom(numberOf(seen.versionId) ?? 0) : first.isSuccess ? w.moveFirst : c.loading}
          </p>
        )}
        {seen && before.data && before.data.id !== version.id && <AliasChange before={before.data} after={version} />}
        {foundOf(version).length > 0 && (
          <div className="flex flex-col gap-2">
            <p>{w.warned}</p>
            <Warnings warnings={version.warnings} metrics={version.metrics} />
          </div>
        )}
        {breaking.length > 0 && (
          <div className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
            <p>{w.breaking}</p>
            <ul className="my-1 list-disc pl-5">
              {breaking.map(({ name, change }) => (
                <li key={name}>
                  <code className="break-all font-mono text-meta">{name}</code> · {said[change]}
                </li>
              ))}
            </ul>
            <Checkbox
              label={w.acceptChanges}
              checked={isAccepted}
              onChange={(event) => setAccepted(event.target.checked)}
            />
          </div>
        )}
        {gates && <FailedGates gates={gates} reason={reason} onReason={setReason} />}
        {(refusal ?? first.error) !== null && <Refusal error={refusal ?? first.error} />}
        <DialogFoot>
          {isMoved && <TypedConfirmation expected={alias} value={typed} onValue={setTyped} />}
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button
            submits
            kind="primary"
            isBusy={move.isPending}
            disabled={
              !isReady ||
              (isMoved && typed !== alias) ||
              (breaking.length > 0 && !isAccepted) ||
              (gates !== null && reason.trim().length < reasonMin)
            }
          >
            {gates ? o.override : (first.isSuccess && !seen ? w.setAction : w.moveAction)(alias)}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
