import type { Schemas } from '@lastro/sdk';
import { type ReactNode, useCallback, useMemo } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { comparedWords } from './compared-words.ts';
import { type Cutoff, type Scale, sayCutoff, scaleOf } from './cutoff-field.tsx';
import { Migration, useSayGroup } from './migration.tsx';
import { MonthsChart } from './months-chart.tsx';
import { TwoHistogram } from './two-histogram.tsx';
import type { Model } from './use-models.ts';

type Answers = Omit<Schemas['ShadowComparison'], 'rows'>;
type Part = Schemas['BacktestPart'];
type Decisions = NonNullable<Answers['decisions']>;
type Names = readonly [before: string, after: string];

const groups = ['swapped_in', 'swapped_out', 'kept_in', 'kept_out'] as const;

type ComparedProps = {
  readonly model: Pick<Model, 'kind'>;
  /** How many rows have both answers. */
  readonly rows: number;
  readonly answers: Answers;
  readonly cutoff: Cutoff | null;
  readonly months: readonly Part[];
  readonly names: Names;
};

/** How two answers to the same questions differ: how far they agree, what they decide, and who moved where. */
export function Compared({ model, rows, answers, cutoff, months, names }: ComparedProps) {
  const w = useWords(comparedWords);
  const format = useFormat();
  const sayGroup = useSayGroup();
  const scale = scaleOf(model);
  const say = sayAnswerOf(scale, format);
  const { migration, mean, rank_correlation: ranks, psi, ks, decisions, distribution, changes } = answers;
  const withoutEmptyEnds = useMemo(
    () =>
      changes.slice(
        changes.findIndex(({ rows: count }) => count > 0),
        changes.findLastIndex(({ rows: count }) => count > 0) + 1,
      ),
    [changes],
  );
  const sayMonth = (month: string) => format.month(`${month}-01`);
  return (
    <>
      <Section title={w.agreement}>
        <Panel className="p-4">
          <Facts
            columns={4}
            of={[
              [w.compared, format.integer(rows)],
              [w.sameGroup[migration.by], format.percent(1 - migration.moved)],
              [w.sameAnswer, format.percent(answers.equal)],
              ranks !== null && [w.ranks, format.thousandths(ranks)],
              mean && [w.mean, w.fromTo(say(mean.before), say(mean.after))],
              psi !== null && [w.psi, format.thousandths(psi)],
              ks !== null && [w.ks, format.thousandths(ks)],
              decisions && [w.flipped, format.integer(decisions.swapped_in.rows + decisions.swapped_out.rows)],
            ]}
          />
        </Panel>
      </Section>
      {decisions && cutoff && (
        <Section title={w.decisions} description={w.decisionsBody(sayCutoff(cutoff, model, w, format))}>
          <Decided decisions={decisions} names={names} say={say} />
        </Section>
      )}
      {distribution.length > 0 && (
        <div className="grid gap-x-4 lg:grid-cols-2">
          <Section title={w.distribution}>
            <Panel className="p-4">
              <TwoHistogram
                bins={distribution.map(({ from, before, after }) => ({
                  name: sayBound(scale, from, format),
                  before,
                  after,
                }))}
                head={w.value}
                names={names}
                summary={w.distributionSummary(format.integer(rows), psi === null ? '—' : format.thousandths(psi))}
              />
            </Panel>
          </Section>
          <Section title={w.changes}>
            <Panel className="p-4">
              <Changes changes={withoutEmptyEnds} scale={scale ?? 'number'} />
            </Panel>
          </Section>
        </div>
      )}
      <Section title={w.migration[migration.by]} description={w.migrationBody}>
        <Migration label={w.migration[migration.by]} groups={migration.groups} counts={migration.rows} />
      </Section>
      <Parts
        title={w.byGroup[migration.by]}
        head={w.beforeGroup}
        parts={answers.by_group}
        sayName={sayGroup}
        say={say}
      />
      {months.length > 0 && (
        <Parts title={w.byMonth} head={w.month} parts={months} sayName={sayMonth} say={say}>
          {months.length > 1 && months.every((month) => month.mean) && (
            <Panel className="mb-3 p-4">
              <MonthsChart months={months} names={names} say={say} />
            </Panel>
          )}
        </Parts>
      )}
    </>
  );
}

/** Says what is answered: probabilities in percent, also where a score comes from them, or numbers. */
const sayAnswerOf = (scale: Scale | null, format: Format) => (scale === 'number' ? format.number : format.percent);

function sayBound(scale: Scale | null, bound: number, format: Format): string {
  if (scale === 'share') return format.percent(bound);
  return format.number(Number(bound.toPrecision(3)));
}

/** Who is accepted by which of both, what each expected of them, and what came of them as far as that is known. */
function Decided({
  decisions,
  names: [before, after],
  say,
}: {
  readonly decisions: Decisions;
  readonly names: Names;
  say(value: number): string;
}) {
  const w = useWords(comparedWords);
  const format = useFormat();
  const rows = groups.map((name) => ({ name, ...decisions[name] }));
  const all = rows.reduce((sum, group) => sum + group.rows, 0);
  const shareOf = (count: number) => `${format.integer(count)} (${format.percent(all === 0 ? 0 : count / all)})`;
  const meanOf = (sum: number, group: { readonly rows: number }) => (group.rows === 0 ? '—' : say(sum / group.rows));
  return (
    <>
      <Panel className="mb-3 p-4">
        <Facts
          columns={4}
          of={[
            [w.acceptedBefore, shareOf(decisions.accepted.before)],
            [w.acceptedAfter, shareOf(decisions.accepted.after)],
          ]}
        />
      </Panel>
      <Ledger
        label={w.decisions}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'group', head: w.group, cell: ({ name }) => w.groups[name] },
          { key: 'rows', head: w.rows, isRight: true, cell: ({ rows: count }) => format.integer(count) },
          {
            key: 'before',
            head: before,
            isRight: true,
            isMinor: true,
            cell: (group) => meanOf(group.expected.before, group),
          },
          {
            key: 'after',
            head: after,
            isRight: true,
            isMinor: true,
            cell: (group) => meanOf(group.expected.after, group),
          },
          ...(rows.some(({ observed }) => observed !== null)
            ? [
                {
                  key: 'came',
                  head: w.came,
                  isRight: true,
                  cell: (group: (typeof rows)[number]) => <Came of={group} say={say} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

function Came({
  of: { observed, labelled },
  say,
}: {
  readonly of: { readonly observed: number | null; readonly labelled: number };
  say(value: number): string;
}) {
  const w = useWords(comparedWords);
  const format = useFormat();
  return observed === null ? '—' : w.ofLabelled(say(observed), format.integer(labelled));
}

/** How many answers moved by how much. */
function Changes({ changes, scale }: { readonly changes: Answers['changes']; readonly scale: Scale }) {
  const w = useWords(comparedWords);
  const format = useFormat();
  const times = scale === 'share' ? 100 : 1;
  const sayMiddle = useCallback(
    ({ from, to }: Answers['changes'][number]) => format.signed((times * (from + to)) / 2),
    [times, format],
  );
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      xAxis: { type: 'category', data: changes.map(sayMiddle), ...axis(palette), splitLine: { show: false } },
      yAxis: { type: 'value', minInterval: 1, ...axis(palette, (value: number) => format.compact(value)) },
      series: [
        {
          ...{ type: 'bar', name: w.rows, barCategoryGap: '8%', itemStyle: { color: palette.challenger } },
          data: changes.map(({ rows }) => rows),
        },
      ],
    }),
    [changes, sayMiddle, format, w],
  );
  if (changes.length === 0) return <p className="text-ink2">{w.noChanges}</p>;
  const most = changes.reduce((one, other) => (other.rows > one.rows ? other : one));
  return (
    <>
      <p className="text-ink2 text-meta">{w.changesUnit[scale]}</p>
      <Chart
        option={option}
        summary={w.changesSummary(
          format.integer(most.rows),
          format.signed(times * most.from),
          format.signed(times * most.to),
        )}
        table={{
          head: [w.change, w.rows],
          rows: changes.map((bin) => [sayMiddle(bin), format.integer(bin.rows)]),
        }}
      />
    </>
  );
}

/** Each group before, or each month, by itself, under a picture of them where there is one. */
function Parts({
  title,
  head,
  parts,
  sayName,
  say,
  children,
}: {
  readonly title: string;
  readonly head: string;
  readonly parts: readonly Part[];
  sayName(name: string): string;
  say(value: number): string;
  readonly children?: ReactNode;
}) {
  const w = useWords(comparedWords);
  const format = useFormat();
  const count = (value: number | null) => (value === null ? '—' : format.integer(value));
  const isDecided = parts.some(({ accepted }) => accepted !== null);
  return (
    <Section title={title}>
      {children}
      <Ledger
        label={title}
        rows={parts}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', head, cell: ({ name }) => sayName(name) },
          { key: 'rows', head: w.rows, isRight: true, cell: ({ rows }) => format.integer(rows) },
          {
            ...{ key: 'mean', head: w.mean, isRight: true, isMinor: true },
            cell: ({ mean }) => (mean ? w.fromTo(say(mean.before), say(mean.after)) : '—'),
          },
          {
            ...{ key: 'moved', head: w.moved, isRight: true, isMinor: isDecided },
            cell: ({ moved }) => format.percent(moved),
          },
          ...(isDecided
            ? [
                {
                  ...{ key: 'in', head: w.swappedIn, isRight: true },
                  cell: ({ swapped_in: value }: Part) => count(value),
                },
                {
                  ...{ key: 'out', head: w.swappedOut, isRight: true },
                  cell: ({ swapped_out: value }: Part) => count(value),
                },
              ]
            : []),
          ...(parts.some(({ observed }) => observed !== null)
            ? [
                {
                  ...{ key: 'came', head: w.came, isRight: true, isMinor: true },
                  cell: (part: Part) => <Came of={part} say={say} />,
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}
