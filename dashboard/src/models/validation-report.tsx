import type { Schemas } from '@lastro/sdk';
import { type ReactNode, useCallback, useMemo } from 'react';
import { Band, bandByName } from '../kit/bands.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Dot, type Tone } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { ChangeGates, useGates } from './change-gates.tsx';
import { Decisions } from './decisions.tsx';
import { sayMetric } from './figures.ts';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { Migration } from './migration.tsx';
import { MonthsChart } from './months-chart.tsx';
import { ReliabilityChart } from './reliability-chart.tsx';
import { TwoHistogram } from './two-histogram.tsx';
import { TwoLegend } from './two-legend.tsx';
import { useVersions, type Version } from './use-models.ts';
import { type Names, ValidationFigures } from './validation-figures.tsx';
import { validationReportWords } from './validation-report-words.ts';
import { useSayCheck } from './validation-why.tsx';
import { validationWords } from './validation-words.ts';

type Validation = Schemas['Validation'];
type Result = Schemas['ValidationResult'];
type Check = Schemas['ValidationCheck'];

const toneOfStatus: Readonly<Record<Check['status'], Tone>> = { passed: 'good', failed: 'bad', cannot_tell: 'quiet' };

type ReportProps = {
  readonly modelId: string;
  readonly version: Version;
  readonly validation: Validation;
  readonly result: Result;
};

/** What a validation found, part by part. */
export function ValidationReport({ modelId, version, validation, result }: ReportProps) {
  const w = useWords(validationWords);
  const format = useFormat();
  const sayMonth = (name: string) => format.month(`${name}-01`);
  const { data: versions } = useVersions(modelId);
  const numberOf = versions?.find(({ id }) => id === validation.compare_with_version_id)?.number;
  const names = { own: `v${version.number}`, before: numberOf === undefined ? w.versionBefore : `v${numberOf}` };
  const lines = [
    { name: names.before, rows: result.compare_with?.reliability ?? [], color: 'accent' as const },
    { name: names.own, rows: result.model?.reliability ?? [], color: 'challenger' as const },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <>
      <Checks version={version} checks={result.checks} />
      {lines.length > 0 && (
        <Section title={w.reliability}>
          <Panel className="p-4">
            <TwoLegend names={[names.before, names.own]} />
            <ReliabilityChart lines={lines} error={result.model?.calibration?.expected_calibration_error ?? null} />
          </Panel>
        </Section>
      )}
      {result.bands.length > 0 && <Bands bands={result.bands} />}
      {result.present && <Spread present={result.present} names={names} />}
      {result.present?.migration && (
        <Section title={w.migration} description={w.migrationBody}>
          <Migration label={w.migration} groups={result.present.bands} counts={result.present.migration} />
        </Section>
      )}
      {result.present?.cutoffs && result.present.cutoffs.length > 0 && (
        <Decisions cutoffs={result.present.cutoffs} rows={result.present.rows} names={names} />
      )}
      {result.months.length > 0 && (
        <Parts title={w.months} head={w.month} parts={result.months} names={names} sayName={sayMonth}>
          {result.months.filter(({ model }) => model !== null).length > 1 && (
            <Panel className="mb-3 p-4">
              <Months months={result.months} metric={result.metric} names={names} />
            </Panel>
          )}
        </Parts>
      )}
      {result.segments.map(({ column, values }) => (
        <Parts key={column} title={w.segments(column)} head={column} parts={values} names={names} />
      ))}
      <ValidationFigures result={result} names={names} />
    </>
  );
}

/** Each gate; below those that fail, what may be done. */
function Checks({ version, checks }: { readonly version: Version; readonly checks: readonly Check[] }) {
  const w = useWords(validationWords);
  const r = useWords(validationReportWords);
  const { figure, measured, asked } = useSayCheck();
  const { data: gates } = useGates(version.model_id);
  return (
    <Section title={w.checks} description={w.checksBody} actions={<ChangeGates version={version} />}>
      <Ledger
        label={w.checks}
        rows={checks}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'check',
            head: w.check,
            cell: ({ name, status }) => (
              <>
                {w.checkNames[name]}
                {status === 'failed' && <p className="max-w-md text-ink2 text-meta">{r.advice[name]}</p>}
              </>
            ),
          },
          {
            key: 'status',
            head: w.status,
            cell: ({ status }) => <Dot tone={toneOfStatus[status]}>{w.statuses[status]}</Dot>,
          },
          { key: 'value', head: w.value, isRight: true, cell: (one) => measured(one) },
          { key: 'before', head: w.before, isRight: true, isMinor: true, cell: ({ before }) => figure(before) },
          {
            key: 'threshold',
            head: w.threshold,
            isRight: true,
            cell: (check) => asked(check, gates?.checks[check.name].threshold ?? check.threshold),
          },
          {
            key: 'required',
            head: w.required,
            isMinor: true,
            cell: ({ name }) => (gates === undefined ? '…' : gates.checks[name].required ? w.yes : w.no),
          },
        ]}
      />
    </Section>
  );
}

/** What came in each band of the score, beside the chances that the band stands for. */
function Bands({ bands }: { readonly bands: Result['bands'] }) {
  const w = useWords(validationReportWords);
  const format = useFormat();
  // The worst band ends at certainty: a scale that ended there would leave no room for all others.
  const end = Math.min(1, 1.05 * Math.max(...bands.flatMap((one) => [one.observed_high, one.means_from * 1.5])));
  return (
    <Section title={w.bands} description={w.bandsBody}>
      <Ledger
        label={w.bands}
        rows={bands}
        keyOf={({ name }) => name}
        columns={[
          { key: 'band', head: w.band, cell: ({ name }) => <Band name={name} /> },
          { key: 'rows', head: w.rows, isRight: true, isMinor: true, cell: ({ rows }) => format.integer(rows) },
          {
            key: 'means',
            head: w.stands,
            isRight: true,
            cell: ({ means_from: from, means_to: to }) => w.between(format.percent(from), format.percent(to)),
          },
          {
            key: 'said',
            head: w.said,
            isRight: true,
            isMinor: true,
            cell: (one) => format.percent(one.mean_predicted),
          },
          { key: 'observed', head: w.observed, isRight: true, cell: ({ observed }) => format.percent(observed) },
          { key: 'picture', head: w.picture, isMinor: true, cell: (one) => <BandPicture of={one} end={end} /> },
        ]}
      />
    </Section>
  );
}

function BandPicture({ of, end }: { readonly of: Result['bands'][number]; readonly end: number }) {
  const w = useWords(validationReportWords);
  const { bands } = useWords(common);
  const format = useFormat();
  const band = bandByName(of.name);
  const at = (share: number) => `${Math.min(100, (100 * share) / end)}%`;
  const span = (from: number, to: number) => ({
    left: at(from),
    width: `${(100 * (Math.min(end, to) - Math.min(end, from))) / end}%`,
  });
  const { observed, observed_low: low, observed_high: high, means_from: from, means_to: to } = of;
  const say = format.percent;
  return (
    <span
      role="img"
      aria-label={w.bandPicture(
        band ? bands[band.key] : of.name,
        say(observed),
        say(low),
        say(high),
        say(from),
        say(to),
      )}
      className="relative block h-5 w-full min-w-40"
    >
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      <span
        className="absolute top-1 h-3 rounded-[2px] opacity-50"
        style={{ ...span(from, to), background: band?.color ?? 'var(--line2)' }}
      />
      <span className="absolute top-[9px] h-[2px] bg-ink" style={span(low, high)} />
      <span
        className="absolute top-[6px] size-2 -translate-x-1/2 rounded-full bg-ink ring-2 ring-panel"
        style={{ left: at(observed) }}
      />
    </span>
  );
}

function Months({
  months,
  metric,
  names,
}: {
  readonly months: Result['months'];
  readonly metric: string;
  readonly names: Names;
}) {
  const w = useWords(validationReportWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const say = useCallback((value: number) => sayMetric(value, format), [format]);
  const measured = useMemo(
    () =>
      months.map(({ name, model, compare_with: before }) => ({
        ...{ name: name ?? '', observed: null },
        mean: { before, after: model },
      })),
    [months],
  );
  return (
    <MonthsChart
      months={measured}
      names={[names.before, names.own]}
      say={say}
      summary={w.monthsPicture(nameOfMetric(m.names, metric))}
    />
  );
}

function Spread({ present, names }: { readonly present: Schemas['ValidationPresent']; readonly names: Names }) {
  const w = useWords(validationWords);
  const format = useFormat();
  const { histogram, rows, stability_index: index } = present;
  const bins = histogram.map(({ from, model, compare_with }) => ({
    name: from === null ? '0' : format.number(Number(from.toPrecision(2))),
    ...{ before: compare_with, after: model },
  }));
  return (
    <Section title={w.distribution} description={w.distributionBody(format.integer(rows))}>
      <Panel className="p-4">
        <TwoHistogram
          bins={bins}
          head={w.from}
          names={[names.before, names.own]}
          summary={w.distributionSummary(index === null ? '—' : format.number(Math.round(100 * index) / 100))}
        />
      </Panel>
    </Section>
  );
}

/** Each month, or each value of a column, by itself. */
function Parts({
  title,
  head,
  parts,
  names,
  sayName = (name) => name,
  children,
}: {
  readonly title: string;
  readonly head: string;
  readonly parts: readonly Schemas['ValidationPart'][];
  readonly names: Names;
  sayName?(name: string): string;
  readonly children?: ReactNode;
}) {
  const w = useWords(validationWords);
  const format = useFormat();
  const figure = (value: number | null) => (value === null ? '—' : sayMetric(value, format));
  return (
    <Section title={title}>
      {children}
      <Ledger
        label={title}
        rows={parts}
        keyOf={({ name }) => name ?? ''}
        columns={[
          { key: 'part', head, cell: ({ name }) => (name === null ? '—' : sayName(name)) },
          { key: 'rows', head: w.rows, isRight: true, isMinor: true, cell: ({ rows }) => format.integer(rows) },
          { key: 'own', head: names.own, isRight: true, cell: ({ model }) => figure(model) },
          { key: 'before', head: names.before, isRight: true, cell: ({ compare_with }) => figure(compare_with) },
          {
            key: 'gain',
            head: w.gain,
            isRight: true,
            cell: ({ gain }) =>
              gain === null ? '—' : `${figure(gain.value)} (${figure(gain.low)} – ${figure(gain.high)})`,
          },
        ]}
      />
    </Section>
  );
}
