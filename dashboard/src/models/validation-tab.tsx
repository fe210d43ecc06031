import type { Schemas } from '@lastro/sdk';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { Dot, Status, Tag, type Tone } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Approvals } from './approvals.tsx';
import { ChangeGates, useGates } from './change-gates.tsx';
import { Decisions } from './decisions.tsx';
import { sayMetric } from './figures.ts';
import { Migration } from './migration.tsx';
import { ReliabilityChart } from './reliability-chart.tsx';
import { TwoHistogram } from './two-histogram.tsx';
import { TwoLegend } from './two-legend.tsx';
import { type Model, useVersions, type Version } from './use-models.ts';
import { validationWords } from './validation-words.ts';

type Validation = Schemas['Validation'];
type Result = Schemas['ValidationResult'];
type Check = Schemas['ValidationCheck'];

const everyMs = 2_000;
const toneOfVerdict: Readonly<Record<Result['verdict'], Tone>> = {
  ...{ better: 'good', equal: 'good', worse: 'bad', broken: 'bad', drifted: 'bad', misscaled: 'bad' },
  cannot_tell: 'warn',
};
const toneOfStatus: Readonly<Record<Check['status'], Tone>> = { passed: 'good', failed: 'bad', cannot_tell: 'quiet' };

/** How a version does beside the one that answers: its newest validation, and a way to ask for another. */
export function ValidationTab({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(validationWords);
  const client = useClient();
  const { can } = useSession();
  const { data, error, refetch } = useData(
    ['models', model.id, 'validations', version.id],
    (signal) => client.models.validations.list(model.id, version.id, { limit: 1 }, { signal }).then(({ data }) => data),
    { everyMs: (found) => (found?.some(isOpen) ? everyMs : false) },
  );
  const others = model.aliases.filter(({ version_id }) => version_id !== version.id);
  const ask = useChange(
    async (alias: string) => {
      await client.models.validations.create(model.id, version.id, { alias });
      say(w.asked);
    },
    { changes: [['models', model.id]] },
  );
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton />;
  const [newest] = data;
  const actions = can('manage_aliases') && (
    <span className="flex flex-wrap gap-2">
      {others.map(({ alias }) => (
        <Button
          key={alias}
          isBusy={ask.isPending}
          disabled={newest !== undefined && isOpen(newest)}
          onClick={() => ask.mutate(alias)}
        >
          {w.validate(alias)}
        </Button>
      ))}
    </span>
  );
  if (!newest)
    return (
      <>
        <Empty
          title={w.none}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              {actions}
              <ChangeGates modelId={model.id} />
            </span>
          }
        >
          {others.length === 0 ? w.alone : w.noneBody}
        </Empty>
        <Approvals model={model} version={version} />
      </>
    );
  return (
    <>
      <Section title={w.verdict} actions={actions}>
        <Panel className="p-4">
          <Standing validation={newest} />
        </Panel>
      </Section>
      {newest.result && <Told modelId={model.id} version={version} validation={newest} result={newest.result} />}
      <Approvals model={model} version={version} />
    </>
  );
}

function isOpen({ status }: Pick<Validation, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

function Standing({ validation }: { readonly validation: Validation }) {
  const w = useWords(validationWords);
  const format = useFormat();
  const { status, fraction, failure, verdict, result, alias } = validation;
  if (!result || !verdict)
    return (
      <p className="flex flex-wrap items-center gap-3">
        <Status of={status} />
        {isOpen(validation) && w.progress(format.percent(fraction))}
        {failure?.detail}
      </p>
    );
  const { judged } = result;
  return (
    <Facts
      of={[
        [
          w.verdict,
          <Tag key="verdict" tone={toneOfVerdict[verdict]}>
            {w.verdicts[verdict]}
          </Tag>,
        ],
        alias !== null && [w.against, alias],
        [w.judged, w.judgedRows(format.integer(judged.rows), format.integer(judged.labelled))],
      ]}
    />
  );
}

type TellProps = {
  readonly modelId: string;
  readonly version: Version;
  readonly validation: Validation;
  readonly result: Result;
};

function Told({ modelId, version, validation, result }: TellProps) {
  const w = useWords(validationWords);
  const { data: versions } = useVersions(modelId);
  const numberOf = versions?.find(({ id }) => id === validation.compare_with_version_id)?.number;
  const names = { own: `v${version.number}`, before: numberOf === undefined ? w.versionBefore : `v${numberOf}` };
  const lines = [
    { name: names.before, rows: result.compare_with?.reliability ?? [], color: 'accent' as const },
    { name: names.own, rows: result.model?.reliability ?? [], color: 'challenger' as const },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <>
      <Checks modelId={modelId} checks={result.checks} />
      {lines.length > 0 && (
        <Section title={w.reliability}>
          <Panel className="p-4">
            <TwoLegend names={[names.before, names.own]} />
            <ReliabilityChart lines={lines} error={result.model?.calibration?.expected_calibration_error ?? null} />
          </Panel>
        </Section>
      )}
      {result.present && <Spread present={result.present} names={names} />}
      {result.present?.migration && (
        <Section title={w.migration} description={w.migrationBody}>
          <Migration label={w.migration} groups={result.present.bands} counts={result.present.migration} />
        </Section>
      )}
      {result.present?.cutoffs && result.present.cutoffs.length > 0 && (
        <Decisions cutoffs={result.present.cutoffs} rows={result.present.rows} names={names} />
      )}
      {result.months.length > 0 && <Parts title={w.months} head={w.month} parts={result.months} names={names} />}
      {result.segments.map(({ column, values }) => (
        <Parts key={column} title={w.segments(column)} head={column} parts={values} names={names} />
      ))}
    </>
  );
}

/** How a value is held against its threshold, by the check. */
const limitOf: Readonly<Record<Check['name'], 'at_least' | 'at_most' | 'factor'>> = {
  ...{ discrimination: 'at_least', log_loss: 'at_least', stability: 'at_least', segments: 'at_least' },
  ...{ rank_consistency: 'at_least', replay: 'at_least' },
  ...{ calibration_level: 'factor', calibration_slope: 'factor' },
  ...{ score_meaning: 'at_most', distribution: 'at_most', population: 'at_most', missing_inputs: 'at_most' },
  ...{ hindsight: 'at_most', plausibility: 'at_most', band_migration: 'at_most', latency: 'at_most' },
};

function Checks({ modelId, checks }: { readonly modelId: string; readonly checks: readonly Check[] }) {
  const w = useWords(validationWords);
  const format = useFormat();
  const { data: gates } = useGates(modelId);
  const figure = (value: number | null) => (value === null ? '—' : format.number(Math.round(1000 * value) / 1000));
  return (
    <Section title={w.checks} description={w.checksBody} actions={<ChangeGates modelId={modelId} />}>
      <Ledger
        label={w.checks}
        rows={checks}
        keyOf={({ name }) => name}
        columns={[
          { key: 'check', head: w.check, cell: ({ name }) => w.checkNames[name] },
          {
            key: 'status',
            head: w.status,
            cell: ({ status }) => <Dot tone={toneOfStatus[status]}>{w.statuses[status]}</Dot>,
          },
          {
            key: 'value',
            head: w.value,
            isRight: true,
            cell: ({ value, low, high }) =>
              low === null || high === null ? figure(value) : `${figure(value)} (${figure(low)} – ${figure(high)})`,
          },
          { key: 'before', head: w.before, isRight: true, isMinor: true, cell: ({ before }) => figure(before) },
          {
            key: 'threshold',
            head: w.threshold,
            isRight: true,
            cell: ({ name, threshold }) => w.limits[limitOf[name]](figure(gates?.checks[name].threshold ?? threshold)),
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

type Names = { readonly own: string; readonly before: string };

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
}: {
  readonly title: string;
  readonly head: string;
  readonly parts: readonly Schemas['ValidationPart'][];
  readonly names: Names;
}) {
  const w = useWords(validationWords);
  const format = useFormat();
  const figure = (value: number | null) => (value === null ? '—' : sayMetric(value, format));
  return (
    <Section title={title}>
      <Ledger
        label={title}
        rows={parts}
        keyOf={({ name }) => name ?? ''}
        columns={[
          { key: 'part', head, cell: ({ name }) => name ?? '—' },
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
