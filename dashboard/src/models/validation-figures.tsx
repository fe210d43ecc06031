import type { Schemas } from '@lastro/sdk';
import { Ledger } from '../kit/ledger.tsx';
import { Section } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { validationReportWords } from './validation-report-words.ts';
import { useSayCheck } from './validation-why.tsx';
import { scaleOf, Whisker } from './whisker.tsx';

type Result = Schemas['ValidationResult'];
/** What both versions are called. */
export type Names = { readonly own: string; readonly before: string };

/** How far both differ, what is missing, what is read too early, and how fast both answer. */
export function ValidationFigures({ result, names }: { readonly result: Result; readonly names: Names }) {
  const { present, shadow, missing, replay, latency } = result;
  return (
    <>
      {present && <Apart present={present} />}
      {shadow && <InShadow shadow={shadow} />}
      {missing.length > 0 && <Missing missing={missing} />}
      {replay && <Earlier replay={replay} names={names} />}
      {latency && <Latency latency={latency} names={names} />}
    </>
  );
}

function Apart({ present }: { readonly present: NonNullable<Result['present']> }) {
  const w = useWords(validationReportWords);
  const { stability_index: psi, largest_distance: ks, rank_correlation: ranks, since_judged: since } = present;
  const figures = [
    { name: 'psi', value: psi },
    { name: 'ks', value: ks },
    { name: 'ranks', value: ranks },
    { name: 'since', value: since.model },
    { name: 'beside', value: since.beside ?? null },
  ] as const;
  return <Figures title={w.apart} description={w.apartBody} figures={figures} />;
}

/** What callers asked, answered by both. */
function InShadow({ shadow }: { readonly shadow: Schemas['ValidationShadow'] }) {
  const w = useWords(validationReportWords);
  const format = useFormat();
  const figures = [
    { name: 'answered', value: shadow.answered },
    { name: 'refused', value: shadow.refused },
    { name: 'psi', value: shadow.stability_index },
    { name: 'ks', value: shadow.largest_distance },
    { name: 'ranks', value: shadow.rank_correlation },
  ] as const;
  const period = w.shadowBody(format.day(shadow.from), format.day(shadow.until));
  return <Figures title={w.shadow} description={period} figures={figures} />;
}

type FigureName = keyof (typeof validationReportWords)['en']['figures'];

/** Figures that could be measured, each with what it means; nothing where none could. */
function Figures({
  title,
  description,
  figures,
}: {
  readonly title: string;
  readonly description: string;
  readonly figures: readonly { readonly name: FigureName; readonly value: number | null }[];
}) {
  const w = useWords(validationReportWords);
  const { figure } = useSayCheck();
  const told = figures.filter(({ value }) => value !== null);
  if (told.length === 0) return null;
  return (
    <Section title={title} description={description}>
      <Ledger
        label={title}
        rows={told}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'figure',
            head: w.figure,
            cell: ({ name }) => w.figures[name],
            below: ({ name }) => w.figureMeans[name],
          },
          { key: 'value', head: w.value, isRight: true, cell: ({ value }) => figure(value) },
          {
            key: 'meaning',
            head: w.meaning,
            isMinor: true,
            cell: ({ name }) => <span className="text-ink2">{w.figureMeans[name]}</span>,
          },
        ]}
      />
    </Section>
  );
}

/** What has no value more often now, the more important first. */
function Missing({ missing }: { readonly missing: Result['missing'] }) {
  const w = useWords(validationReportWords);
  const format = useFormat();
  return (
    <Section title={w.missing} description={w.missingBody}>
      <Ledger
        label={w.missing}
        rows={missing}
        keyOf={({ at }) => at}
        columns={[
          {
            key: 'column',
            head: w.column,
            cell: ({ at }) => <code className="break-all font-mono text-meta">{at}</code>,
          },
          {
            key: 'importance',
            head: w.importance,
            isRight: true,
            isMinor: true,
            cell: ({ importance }) => format.percent(importance),
          },
          { key: 'judged', head: w.judged, cell: ({ judged }) => <Share of={judged} color="bg-accent" /> },
          { key: 'present', head: w.present, cell: ({ present }) => <Share of={present} color="bg-challenger" /> },
        ]}
      />
    </Section>
  );
}

/** A share in figures, and as a bar of all. */
function Share({ of, color }: { readonly of: number; readonly color: string }) {
  const format = useFormat();
  return (
    <span className="flex items-center gap-2">
      <span className="w-12 shrink-0 text-right tabular-nums">{format.percent(of)}</span>
      <span className="hidden h-2 min-w-16 flex-1 rounded-full bg-sunken sm:block" aria-hidden="true">
        <span className={`block h-full rounded-full ${color}`} style={{ width: `${100 * of}%` }} />
      </span>
    </span>
  );
}

function Earlier({ replay, names }: { readonly replay: NonNullable<Result['replay']>; readonly names: Names }) {
  const w = useWords(validationReportWords);
  const format = useFormat();
  const { figure, measured } = useSayCheck();
  const { rows, at, hindsight } = replay;
  const same = [
    { name: names.own, value: replay.model },
    { name: names.before, value: replay.compare_with },
  ].filter(({ value }) => value !== null);
  const known = hindsight
    ? [
        { name: names.own, value: hindsight.model },
        { name: names.before, value: hindsight.compare_with },
      ].flatMap(({ name, value: of }) =>
        of && of.value !== null ? [{ name, value: of.value, low: of.low, high: of.high }] : [],
      )
    : [];
  const scale = scaleOf([0, 0.1, ...known.flatMap(({ value, low, high }) => [value, low, high])]);
  return (
    <Section title={w.earlier} description={w.earlierBody}>
      <div className="flex flex-col gap-3">
        <p className="text-ink2">
          {w.asAt} {format.day(at)} · {w.rows}: {format.integer(rows)}
        </p>
        <p className="max-w-3xl text-ink2">{w.sameMeans}</p>
        <Ledger
          label={w.same}
          rows={same}
          keyOf={({ name }) => name}
          columns={[
            { key: 'version', head: w.version, cell: ({ name }) => name },
            { key: 'same', head: w.same, isRight: true, cell: ({ value }) => figure(value) },
          ]}
        />
        {hindsight && known.length > 0 && (
          <>
            <p className="max-w-3xl text-ink2">{w.hindsightMeans(format.integer(hindsight.rows))}</p>
            <Ledger
              label={w.hindsight}
              rows={known}
              keyOf={({ name }) => name}
              columns={[
                { key: 'version', head: w.version, cell: ({ name }) => name },
                {
                  key: 'value',
                  head: w.hindsight,
                  isRight: true,
                  cell: (one) => measured(one),
                },
                {
                  key: 'picture',
                  head: w.picture,
                  isMinor: true,
                  cell: ({ value, low, high }) => (
                    <Whisker
                      value={value}
                      interval={low === null || high === null ? null : [low, high]}
                      naive={0}
                      scale={scale}
                    />
                  ),
                },
              ]}
            />
          </>
        )}
      </div>
    </Section>
  );
}

function Latency({ latency, names }: { readonly latency: NonNullable<Result['latency']>; readonly names: Names }) {
  const w = useWords(validationReportWords);
  const format = useFormat();
  const rows = [
    { name: names.own, of: latency.model },
    { name: names.before, of: latency.compare_with },
  ].flatMap(({ name, of }) => (of ? [{ name, ...of }] : []));
  const say = (milliseconds: number) => `${format.number(Number(milliseconds.toPrecision(2)))} ms`;
  return (
    <Section title={w.latency} description={w.latencyBody}>
      <Ledger
        label={w.latency}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'version', head: w.version, cell: ({ name }) => name },
          { key: 'median', head: w.median, isRight: true, cell: ({ median_ms: ms }) => say(ms) },
          { key: 'p95', head: w.p95, isRight: true, cell: ({ p95_ms: ms }) => say(ms) },
        ]}
      />
    </Section>
  );
}
