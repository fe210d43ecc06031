import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useClient } from '../api/session.tsx';
import { useData, useList } from '../api/use-data.ts';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag, Dot } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { MonitorSettings } from './monitor-settings.tsx';
import { monitoringWords } from './monitoring-words.ts';
import { ReliabilityChart } from './reliability-chart.tsx';
import { type Model, useVersions, type Version, type VersionSummary } from './use-models.ts';

type Monitoring = Schemas['ModelMonitoring'];
type Signal = Schemas['MonitoredSignal'];
type Alarm = Schemas['ModelAlarm'];
type Performance = Schemas['MonitoredPerformance'];

const alarmsShown = 20;
const everyMs = 5 * 60_000;
const linesShown = 5;

/** What a version is asked and answers against what it was, what came of it, and what is beyond its threshold. */
export function MonitoringTab({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(monitoringWords);
  const format = useFormat();
  const client = useClient();
  const { data, error, refetch } = useData(
    ['models', model.id, 'monitoring', version.id],
    (signal) => client.models.getMonitoring(model.id, { version: version.id }, { signal }),
    { everyMs: () => everyMs },
  );
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton />;
  const score = data.signals.find(({ kind, of }) => kind === 'score' && of === 'values');
  const { contract_number: learned, active_contract_number: active } = data;
  return (
    <>
      <Facts
        columns={4}
        of={[
          [
            w.alarms,
            <Dot key="status" tone={data.alarms.length > 0 ? 'bad' : 'quiet'}>
              {w.status[data.status as 'off']}
            </Dot>,
          ],
          [w.answers, format.integer(data.rows)],
          data.counted_until !== null && [w.countedUntil, <Moment key="until" at={data.counted_until} />],
          [w.rollback, <MonitorSettings key="rollback" modelId={model.id} />],
        ]}
      />
      {data.status === 'waiting' && <p className="mt-3 text-ink2">{w.waitingBody}</p>}
      {active !== null && active !== learned && (
        <p className="mt-3 text-ink2">{w.contractChanged(format.integer(learned), format.integer(active))}</p>
      )}
      <Alarms model={model} monitoring={data} versionId={version.id} />
      {score && <Score signal={score} />}
      {data.signals.length > 0 && <Signals signals={data.signals} />}
      <Section title={w.outcomes}>
        {data.performance.length === 0 ? (
          <p className="text-ink2">{w.noOutcomes}</p>
        ) : (
          data.performance.map((one) => <Outcomes key={one.output} performance={one} />)
        )}
      </Section>
    </>
  );
}

function Alarms({
  model,
  monitoring,
  versionId,
}: {
  readonly model: Model;
  readonly monitoring: Monitoring;
  readonly versionId: string;
}) {
  const w = useWords(monitoringWords);
  const client = useClient();
  const { data: versions } = useVersions(model.id);
  const list = useList(['models', model.id, 'alarms', versionId], (cursor, signal) =>
    client.models.listAlarms(
      model.id,
      { version: versionId, limit: alarmsShown, ...(cursor ? { cursor } : {}) },
      { signal },
    ),
  );
  const rollbacks = monitoring.rollbacks.filter(
    ({ from_version_id: from, to_version_id: to }) => from === versionId || to === versionId,
  );
  const link = (id: string) => <VersionLink modelId={model.id} id={id} of={versions} />;
  if (list.error) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  return (
    <>
      <Section title={w.alarms}>
        {list.isPending ? (
          <Skeleton rows={2} />
        ) : list.rows.length === 0 ? (
          <Empty title={w.noAlarms} />
        ) : (
          <Ledger
            label={w.alarms}
            rows={list.rows}
            keyOf={({ id }) => id}
            columns={[
              { key: 'kind', head: w.alarms, cell: ({ kind }) => w.alarm[kind as 'drift'] },
              { key: 'what', head: w.what, cell: (alarm) => <Beyond alarm={alarm} /> },
              { key: 'raised', head: w.raised, cell: ({ raised_at: at }) => <Moment at={at} /> },
              {
                key: 'cleared',
                head: w.cleared,
                cell: ({ cleared_at: at }) => (at === null ? <Dot tone="bad">{w.isOn}</Dot> : <Moment at={at} />),
              },
            ]}
          />
        )}
        <MoreButton list={list} />
      </Section>
      {rollbacks.length > 0 && (
        <Section title={w.rollbacks}>
          <Ledger
            label={w.rollbacks}
            rows={rollbacks}
            keyOf={({ alias, created_at: at }) => `${alias} ${at}`}
            columns={[
              { key: 'alias', head: w.alias, cell: ({ alias }) => <AliasTag alias={alias} /> },
              { key: 'from', head: w.from, cell: ({ from_version_id: id }) => link(id) },
              { key: 'to', head: w.to, cell: ({ to_version_id: id }) => link(id) },
              { key: 'at', head: w.day, cell: ({ created_at: at }) => <Moment at={at} /> },
            ]}
          />
        </Section>
      )}
    </>
  );
}

/** A version by its number, or by its id where it is none of those that are known. */
function VersionLink({
  modelId,
  id,
  of: versions,
}: {
  readonly modelId: string;
  readonly id: string;
  readonly of: readonly VersionSummary[] | undefined;
}) {
  const number = versions?.find((one) => one.id === id)?.number;
  return (
    <Link
      to="/models/$model_id/versions/$version_id"
      params={{ model_id: modelId, version_id: id }}
      className="text-accent underline underline-offset-2"
    >
      {number === undefined ? <span className="break-all font-mono text-meta">{id}</span> : `v${number}`}
    </Link>
  );
}

function Beyond({ alarm }: { readonly alarm: Alarm }) {
  const w = useWords(monitoringWords);
  const format = useFormat();
  const say = useFigure();
  const beyond = ({ of, value, threshold, before, after }: Alarm['signals'][number]): string => {
    if (of === 'not_sent') return w.sent(format.percent(value), format.percent(threshold));
    if (after === undefined) return w.than(say(value), say(threshold));
    return [before, after].filter((one) => typeof one === 'string').join(' → ');
  };
  return (
    <ul>
      {alarm.signals.map((signal) => {
        const said = beyond(signal);
        return (
          <li key={`${signal.name} ${signal.of}`} className="break-words">
            <bdi>{signal.name}</bdi> ({w.of[signal.of as 'values']}){said !== '' && `: ${said}`}
          </li>
        );
      })}
    </ul>
  );
}

function useFigure(): (value: number) => string {
  const format = useFormat();
  return useCallback((value: number) => format.thousandths(value), [format]);
}

/** How answers are spread over the tenths of what the version said when it was made: before, and now. */
function Score({ signal }: { readonly signal: Signal }) {
  const w = useWords(monitoringWords);
  const format = useFormat();
  const say = useFigure();
  const { bins, reference, current, psi, name } = signal;
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      grid: { left: 8, right: 12, top: 32, bottom: 4, containLabel: true },
      legend: { top: 0, left: 0, textStyle: { color: palette.ink2, fontSize: 11 } },
      xAxis: { type: 'category', data: bins, ...axis(palette), splitLine: { show: false } },
      yAxis: { type: 'value', ...axis(palette, (value: number) => format.percent(value)) },
      series: [
        { type: 'bar', name: w.before, data: reference.shares, itemStyle: { color: palette.line } },
        { type: 'bar', name: w.now, data: current.shares, itemStyle: { color: palette.accent } },
      ],
    }),
    [bins, reference, current, format, w],
  );
  return (
    <Section title={w.score} description={w.scoreBody(name)}>
      <Chart
        option={option}
        summary={w.scoreSummary(psi === null ? '—' : say(psi))}
        table={{
          head: [w.value, w.before, w.now],
          rows: bins.map((bin, at) => [bin, format.percent(reference.shares[at]), format.percent(current.shares[at])]),
        }}
      />
    </Section>
  );
}

function Signals({ signals }: { readonly signals: readonly Signal[] }) {
  const w = useWords(monitoringWords);
  const format = useFormat();
  const say = useFigure();
  const nameOf = useCallback(
    ({ name, kind, of }: Signal) => (kind === 'unknown' ? w.unknown : `${name} (${w.of[of as 'values']})`),
    [w],
  );
  const shown = signals.slice(0, linesShown);
  const days = [...new Set(shown.flatMap(({ series }) => series.map(({ day }) => day)))].sort();
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      grid: { left: 8, right: 12, top: 48, bottom: 4, containLabel: true },
      legend: { type: 'scroll', top: 0, left: 0, textStyle: { color: palette.ink2, fontSize: 11 } },
      xAxis: {
        type: 'category',
        data: days.map((day) => format.day(day)),
        ...axis(palette),
        splitLine: { show: false },
      },
      yAxis: { type: 'value', min: 0, ...axis(palette, (value: number) => say(value)) },
      series: shown.map((signal, at) => ({
        type: 'line',
        name: nameOf(signal),
        symbol: 'none',
        color: [palette.accent, palette.challenger, palette.warn, palette.good, palette.ink3][at],
        data: days.map((day) => signal.series.find((one) => one.day === day)?.psi ?? '-'),
      })),
    }),
    [shown, days, format, nameOf, say],
  );
  return (
    <Section title={w.signals} description={w.signalsBody}>
      <Ledger
        label={w.signals}
        rows={signals}
        keyOf={(signal) => `${signal.kind} ${signal.name} ${signal.of}`}
        columns={[
          {
            key: 'name',
            head: w.column,
            cell: (signal) => (
              <Dot tone={signal.is_raised ? 'bad' : 'quiet'}>
                <bdi className="whitespace-normal break-words">{nameOf(signal)}</bdi>
              </Dot>
            ),
          },
          { key: 'psi', head: w.psi, isRight: true, cell: ({ psi }) => (psi === null ? '—' : say(psi)) },
          { key: 'upper', head: w.threshold, isRight: true, cell: ({ upper }) => (upper === null ? '—' : say(upper)) },
        ]}
      />
      {days.length > 1 && (
        <div className="mt-4">
          <h3 className="font-medium">{w.overTime}</h3>
          <Chart
            option={option}
            summary={w.overTimeSummary(format.integer(shown.length))}
            table={{
              head: [w.day, ...shown.map(nameOf)],
              rows: days.map((day) => [
                format.day(day),
                ...shown.map(({ series }) => {
                  const reading = series.find((one) => one.day === day);
                  return reading ? say(reading.psi) : '—';
                }),
              ]),
            }}
          />
        </div>
      )}
    </Section>
  );
}

function Outcomes({ performance }: { readonly performance: Performance }) {
  const w = useWords(monitoringWords);
  const format = useFormat();
  const say = useFigure();
  const { bands, figures, from, until, coverage, output } = performance;
  const rows = bands.map(({ expected, ...band }) => ({ ...band, mean_predicted: expected }));
  return (
    <div className="mb-6">
      <p className="mb-2 text-ink2">
        <bdi className="font-medium">{output}</bdi>{' '}
        {w.outcomesBody(format.day(from), format.day(until), format.percent(coverage))}
      </p>
      {rows.length > 0 && <ReliabilityChart lines={[{ name: w.lineName, rows, color: 'accent' }]} error={null} />}
      <Ledger
        label={output}
        rows={figures}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', head: w.figure, cell: ({ name }) => w.figures[name as 'calibration'] },
          { key: 'value', head: w.now, isRight: true, cell: ({ value }) => say(value) },
          { key: 'promised', head: w.promised, isRight: true, cell: ({ promised }) => say(promised) },
          { key: 'z', head: w.off, isRight: true, cell: ({ z }) => format.number(z) },
        ]}
      />
    </div>
  );
}
