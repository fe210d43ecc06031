import type { Schemas } from '@lastro/sdk';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm, Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input, Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Empty, Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { AliasTag, Dot } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { importPart } from '../shell/new-build.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Compared } from './compared.tsx';
import { comparedWords } from './compared-words.ts';
import { CutoffField, readCutoff, sayCutoff, scaleOf, textOfCutoff } from './cutoff-field.tsx';
import { shadowWords } from './shadow-words.ts';
import { type Model, useVersions, type Version } from './use-models.ts';

const SplitPart = lazy(async () => ({ default: (await importPart(() => import('./split-part.tsx'))).SplitPart }));

type Shadow = Schemas['Shadow'];
type Of = { readonly model: Model; readonly version: Version };

/** While answers come in. */
const everyMs = 5_000;
const shadowsMax = 200;

/** What a version answers beside an alias, against what was answered; and a way to have it do so. */
export function ShadowTab({ model, version }: Of) {
  const client = useClient();
  const key = ['models', model.id, 'shadows'];
  const list = useData([...key, 'list'], (signal) => client.shadows.list(model.id, { limit: shadowsMax }, { signal }));
  const isIn = list.data?.data.some(({ version_id: id }) => id === version.id) ?? false;
  const shadow = useData([...key, version.id], (signal) => client.shadows.get(model.id, version.id, { signal }), {
    isOn: isIn,
    everyMs: (now) => (now && now.share > 0 ? everyMs : false),
  });
  const error = list.error ?? (isIn ? shadow.error : null);
  if (error)
    return (
      <Failed
        error={error}
        onRetry={() => {
          void list.refetch();
          if (isIn) void shadow.refetch();
        }}
      />
    );
  if (!list.data || (isIn && !shadow.data)) return <Skeleton />;
  return (
    <>
      {isIn ? (
        <InShadow model={model} version={version} shadow={shadow.data!} />
      ) : (
        <NotIn model={model} version={version} />
      )}
      <Suspense>
        <SplitPart model={model} version={version} />
      </Suspense>
    </>
  );
}

function NotIn({ model, version }: Of) {
  const w = useWords(shadowWords);
  const { can } = useSession();
  const [isAsked, setAsked] = useState(false);
  const aliases = aliasesBeside(model, version);
  return (
    <>
      <Empty
        title={w.none}
        action={
          can('manage_aliases') &&
          aliases.length > 0 && (
            <Button kind="primary" onClick={() => setAsked(true)}>
              {w.put}
            </Button>
          )
        }
      >
        {aliases.length === 0 ? w.alone : w.noneBody}
      </Empty>
      {isAsked && <SetShadow model={model} version={version} aliases={aliases} onClose={() => setAsked(false)} />}
    </>
  );
}

/** The aliases that point at other versions. */
const aliasesBeside = (model: Model, version: Version): readonly string[] =>
  model.aliases.flatMap(({ alias, version_id: id }) => (id === version.id ? [] : [alias]));

function InShadow({ model, version, shadow }: Of & { readonly shadow: Shadow }) {
  const w = useWords(shadowWords);
  const a = useWords(comparedWords);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const [asked, setAsked] = useState<'change' | 'end' | null>(null);
  const { data: versions } = useVersions(model.id);
  const { alias, share, answered, refused, cutoff, comparison } = shadow;
  const isFirst = answered + refused === 0;
  const end = useChange<void, unknown>(() => client.shadows.delete(model.id, version.id), {
    // What is gone is not asked for again.
    changes: [['models', model.id, 'shadows', 'list']],
    isQuiet: true,
  });
  const before = model.aliases.find((one) => one.alias === alias)?.version_id;
  const numberOf = versions?.find(({ id }) => id === before)?.number;
  return (
    <>
      <Section
        title={w.shadow}
        className="!mt-0"
        actions={
          can('manage_aliases') && (
            <>
              <Button onClick={() => setAsked('change')}>{w.change}</Button>
              <Button kind="danger" onClick={() => setAsked('end')}>
                {w.takeOut}
              </Button>
            </>
          )
        }
      >
        <Panel className="p-4">
          <Facts
            columns={4}
            of={[
              [w.status, <State key="status" share={share} isFirst={isFirst} />],
              [w.alias, <AliasTag key="alias" alias={alias} />],
              [w.share, format.percent(share)],
              cutoff && [w.cutoff, sayCutoff(cutoff, model, a, format)],
              [w.answered, format.integer(answered)],
              refused > 0 && [
                w.refused,
                <span key="refused" title={w.refusedHint}>
                  {format.integer(refused)}
                </span>,
              ],
              [w.since, <Moment key="since" at={shadow.created_at} />],
              [w.seen, <Moment key="seen" at={shadow.seen_until} />],
            ]}
          />
          {isFirst && <p className="mt-3 text-ink2">{share === 0 ? w.stoppedBody : w.waitingBody}</p>}
        </Panel>
      </Section>
      {comparison && (
        <Compared
          model={model}
          rows={comparison.rows}
          answers={comparison}
          cutoff={cutoff}
          months={[]}
          names={[numberOf === undefined ? alias : `${alias} (v${numberOf})`, `v${version.number}`]}
        />
      )}
      {asked === 'change' && (
        <SetShadow
          model={model}
          version={version}
          aliases={[...new Set([alias, ...aliasesBeside(model, version)])]}
          shadow={shadow}
          onClose={() => setAsked(null)}
        />
      )}
      <Confirm
        title={w.takeOutTitle}
        body={w.takeOutBody}
        action={w.takeOut}
        isOpen={asked === 'end'}
        onClose={() => setAsked(null)}
        onConfirm={() => end.mutateAsync()}
      />
    </>
  );
}

function State({ share, isFirst }: { readonly share: number; readonly isFirst: boolean }) {
  const w = useWords(shadowWords);
  if (share === 0) return <Dot tone="quiet">{w.stopped}</Dot>;
  return isFirst ? <Dot tone="live">{w.waiting}</Dot> : <Dot tone="good">{w.answering}</Dot>;
}

/** Has a version answer beside an alias, or changes beside which, of whom and where it is cut. */
function SetShadow({
  model,
  version,
  aliases,
  shadow,
  onClose,
}: Of & { readonly aliases: readonly string[]; readonly shadow?: Shadow; onClose(): void }) {
  const w = useWords(shadowWords);
  const c = useWords(common);
  const client = useClient();
  const [alias, setAlias] = useState(shadow?.alias ?? aliases[0]);
  const [percent, setPercent] = useState(String(Number((100 * (shadow?.share ?? 1)).toPrecision(12))));
  const [text, setText] = useState(textOfCutoff(shadow?.cutoff ?? null));
  const scale = scaleOf(model);
  const cutoff = scale === null ? undefined : readCutoff(scale, text);
  const share = percent.trim() === '' ? Number.NaN : Number(percent) / 100;
  const isWrong = !(share >= 0 && share <= 1) || cutoff === null;
  const set = useChange(() => client.shadows.set(model.id, version.id, { alias, share, ...(cutoff && { cutoff }) }), {
    changes: [['models', model.id, 'shadows']],
    isQuiet: true,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isWrong) return;
    // A refusal is shown below.
    const done = await set.mutateAsync(undefined).catch(() => null);
    if (!done) return;
    if (!shadow) say(w.set(alias));
    onClose();
  };
  return (
    <Dialog title={shadow ? w.changeTitle : w.put} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={w.alias} hint={shadow && w.aliasHint}>
          <Select value={alias} options={aliases.map((value) => ({ value, label: value }))} onValue={setAlias} />
        </Field>
        <ShareField percent={percent} isWrong={!(share >= 0 && share <= 1)} onPercent={setPercent} />
        <CutoffField model={model} text={text} onText={setText} />
        {set.error && <Refusal error={set.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={set.isPending} disabled={isWrong}>
            {shadow ? w.save : w.put}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** A share in percent, by a slider and by its number. */
function ShareField({
  percent,
  isWrong,
  onPercent,
}: {
  readonly percent: string;
  readonly isWrong: boolean;
  onPercent(percent: string): void;
}) {
  const w = useWords(shadowWords);
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {w.share}
      </label>
      <div className="flex items-center gap-3">
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          step={1}
          value={isWrong ? 0 : Number(percent)}
          aria-valuetext={`${percent}%`}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onPercent(target.value)}
          className="h-6 min-w-0 flex-1 accent-ink"
        />
        <Input
          type="number"
          min={0}
          max={100}
          step="any"
          aria-label={w.shareExact}
          aria-invalid={isWrong || undefined}
          className="!w-20 text-right tabular-nums"
          value={percent}
          onChange={({ target }) => onPercent(target.value)}
        />
        <span aria-hidden="true">%</span>
      </div>
      <p id={`${id}-hint`} className="text-ink3 text-meta">
        {w.shareHint}
      </p>
    </div>
  );
}
