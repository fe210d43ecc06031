import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { SetSplit, type SplitOf } from './set-split.tsx';
import { splitWords } from './split-words.ts';
import { type Model, useVersions } from './use-models.ts';

type Split = Schemas['AliasSplit'];
type Arm = Schemas['SplitArm'];

/** While answers come in. */
const everyMs = 30_000;

/** A share of an alias that a version answers, against the version that answers the rest; and a way to have it do so. */
export function SplitPart({ model, version }: SplitOf) {
  const w = useWords(splitWords);
  const { can } = useSession();
  const [isAsked, setAsked] = useState(false);
  const alias = model.aliases.find(({ split }) => split?.version_id === version.id)?.alias;
  if (alias !== undefined) return <Sides model={model} version={version} alias={alias} />;
  const aliases = model.aliases.filter(({ version_id: id }) => id !== version.id).map((one) => one.alias);
  return (
    <Section title={w.split} description={w.body}>
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-ink2">{w.none}</p>
        {can('manage_aliases') && aliases.length > 0 && (
          <Button blocked={version.status !== 'active' && w.inactive} onClick={() => setAsked(true)}>
            {w.start}
          </Button>
        )}
      </div>
      {isAsked && <SetSplit model={model} version={version} aliases={aliases} onClose={() => setAsked(false)} />}
    </Section>
  );
}

function Sides({ model, version, alias }: SplitOf & { readonly alias: string }) {
  const w = useWords(splitWords);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const [asked, setAsked] = useState<'change' | 'end' | null>(null);
  const { data, error, refetch } = useData(
    ['alias-splits', model.id, alias],
    (signal) => client.aliasSplits.get(model.id, alias, { signal }),
    { everyMs: () => everyMs },
  );
  const end = useChange<void, unknown>(() => client.aliasSplits.delete(model.id, alias), {
    // What is gone is not asked for again.
    changes: [['models']],
    isQuiet: true,
  });
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton />;
  return (
    <>
      <Section
        title={w.split}
        description={w.body}
        actions={
          can('manage_aliases') && (
            <>
              <Button onClick={() => setAsked('change')}>{w.change}</Button>
              <Button kind="danger" onClick={() => setAsked('end')}>
                {w.end}
              </Button>
            </>
          )
        }
      >
        <Panel className="p-4">
          <Facts
            columns={3}
            of={[
              [w.alias, <AliasTag key="alias" alias={alias} />],
              [w.share, format.percent(data.share)],
              [w.since, <Moment key="since" at={data.created_at} />],
            ]}
          />
        </Panel>
      </Section>
      <Compared model={model} split={data} />
      {asked === 'change' && (
        <SetSplit model={model} version={version} aliases={[alias]} split={data} onClose={() => setAsked(null)} />
      )}
      <Confirm
        title={w.endTitle}
        body={w.endBody}
        action={w.end}
        isOpen={asked === 'end'}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await end.mutateAsync();
          say(w.ended(alias));
        }}
      />
    </>
  );
}

function Compared({ model, split }: { readonly model: Model; readonly split: Split }) {
  const w = useWords(splitWords);
  const format = useFormat();
  const { data: versions } = useVersions(model.id);
  const nameOf = ({ version_id: id }: Arm) => `v${versions?.find((one) => one.id === id)?.number ?? '…'}`;
  const [difference] = split.differences;
  const isBinary = split.arms.some(({ outcomes }) => outcomes.length > 0 && outcomes[0].bands.length > 0);
  const say = (value: number) => (isBinary ? format.percent(value) : format.number(value));
  return (
    <>
      <Section title={w.sides} description={w.sidesBody}>
        <Ledger
          label={w.sides}
          rows={split.arms}
          keyOf={({ arm }) => arm}
          columns={[
            { key: 'side', head: w.side, cell: (arm) => nameOf(arm) },
            { key: 'share', head: w.share, isRight: true, cell: ({ share }) => format.percent(share) },
            { key: 'answers', head: w.answers, isRight: true, cell: ({ answers }) => format.integer(answers) },
            { key: 'entities', head: w.entities, isRight: true, cell: ({ entities }) => format.integer(entities) },
            {
              key: 'expected',
              head: w.expected,
              isRight: true,
              cell: ({ outcomes: [first] }) => (first ? say(first.expected) : ''),
            },
            {
              key: 'observed',
              head: w.observed,
              isRight: true,
              cell: ({ outcomes: [first] }) => (first ? sayObserved(first, say, w.interval) : ''),
            },
          ]}
        />
        {split.arms.every(({ outcomes }) => outcomes.length === 0) && <p className="mt-2 text-ink2">{w.noOutcomes}</p>}
        {difference && (
          <p className="mt-2">
            {w.difference}: {say(difference.observed)} ({w.interval(say(difference.low), say(difference.high))})
            {difference.low <= 0 && difference.high >= 0 && `, ${w.undecided}`}
          </p>
        )}
      </Section>
      <Groups split={split} nameOf={nameOf} format={format} />
    </>
  );
}

function sayObserved(
  { observed, observed_low: low, observed_high: high }: Arm['outcomes'][number],
  say: (value: number) => string,
  interval: (low: string, high: string) => string,
): string {
  return low === null || high === null ? say(observed) : `${say(observed)} (${interval(say(low), say(high))})`;
}

/** The share of the answers of each side that are of each band, or lie in each tenth. */
function Groups({
  split: { arms },
  nameOf,
  format,
}: {
  readonly split: Split;
  nameOf(arm: Arm): string;
  readonly format: Format;
}) {
  const w = useWords(splitWords);
  const isByBand = arms.some(({ bands }) => bands.length > 0);
  const counted = arms.map(({ bands, tenths, answers }) => ({
    answers,
    of: new Map<string, number>(
      isByBand
        ? bands.map(({ band, answers: own }) => [band, own])
        : tenths.map(({ tenth, answers: own }) => [String(tenth), own]),
    ),
  }));
  const groups = [...new Set(counted.flatMap(({ of }) => [...of.keys()]))];
  if (groups.length === 0) return null;
  groups.sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  return (
    <Section title={isByBand ? w.bands : w.tenths}>
      <Ledger
        label={isByBand ? w.bands : w.tenths}
        rows={groups}
        keyOf={(group) => group}
        columns={[
          { key: 'group', head: w.group, cell: (group) => group },
          ...arms.map((arm, side) => ({
            key: arm.arm,
            head: nameOf(arm),
            isRight: true,
            cell: (group: string) => {
              const { answers, of } = counted[side];
              return answers === 0 ? '' : format.percent((of.get(group) ?? 0) / answers);
            },
          })),
        ]}
      />
    </Section>
  );
}
