import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Interrupt } from '../kit/interrupt.tsx';
import { JobFailure } from '../kit/job-failure.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { Dot, Status, Tag, type Tone } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Approvals } from './approvals.tsx';
import { ChangeGates } from './change-gates.tsx';
import { isUnderWay, JobButton, JobProgress, useJobs } from './jobs-of-version.tsx';
import { NewValidation } from './new-validation.tsx';
import { type Model, useVersions, type Version } from './use-models.ts';
import { ValidationReport } from './validation-report.tsx';
import { validationReportWords } from './validation-report-words.ts';
import { Why } from './validation-why.tsx';
import { validationWords } from './validation-words.ts';
import type { VersionSearch } from './version-search.ts';

type Validation = Schemas['Validation'];
type Result = Schemas['ValidationResult'];

const toneOfVerdict: Readonly<Record<Result['verdict'], Tone>> = {
  ...{ better: 'good', equal: 'good', worse: 'bad', broken: 'bad', drifted: 'bad', misscaled: 'bad' },
  cannot_tell: 'warn',
};

/** How a version does beside another: one validation, a list of all, and a way to ask for another. */
export function ValidationTab({
  model,
  version,
  chosen,
  onSearch,
}: {
  readonly model: Model;
  readonly version: Version;
  /** The id of the one that is shown; the newest without it. */
  readonly chosen: string | undefined;
  onSearch(change: Partial<VersionSearch>): void;
}) {
  const w = useWords(validationWords);
  const client = useClient();
  const { can } = useSession();
  const { list, shown, isLoading } = useJobs(
    ['models', model.id, 'validations', version.id],
    chosen,
    (asked, options) => client.models.validations.list(model.id, version.id, asked, options),
    (id, options) => client.models.validations.get(model.id, version.id, id, {}, options),
  );
  const [isAsked, setAsked] = useState(false);
  if (list.error) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (isLoading) return <Skeleton />;
  const newOne = can('manage_aliases') && (
    <Button kind="primary" onClick={() => setAsked(true)}>
      {w.newOne}
    </Button>
  );
  return (
    <>
      {shown ? (
        <>
          <Section title={w.title} actions={newOne} className="!mt-0">
            <Panel className="p-4">
              <Standing key={shown.id} model={model} validation={shown} />
            </Panel>
          </Section>
          {shown.result && (
            <ValidationReport
              key={shown.id}
              modelId={model.id}
              version={version}
              validation={shown}
              result={shown.result}
            />
          )}
          <Section title={w.all}>
            <All modelId={model.id} rows={list.rows} chosen={shown.id} onSearch={onSearch} />
            <MoreButton list={list} />
          </Section>
        </>
      ) : (
        <Empty
          title={w.none}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              {newOne}
              <ChangeGates version={version} />
            </span>
          }
        >
          {w.noneBody}
        </Empty>
      )}
      <Approvals model={model} version={version} />
      {isAsked && (
        <NewValidation
          model={model}
          version={version}
          onClose={() => setAsked(false)}
          onStarted={(id) => onSearch({ validation: id })}
        />
      )}
    </>
  );
}

function Standing({ model, validation }: { readonly model: Model; readonly validation: Validation }) {
  const w = useWords(validationWords);
  const format = useFormat();
  const sayAgainst = useSayAgainst(model.id);
  const r = useWords(validationReportWords);
  const { status, fraction, failure, verdict, result, segments } = validation;
  return (
    <>
      {verdict && (
        <p className="mb-2">
          <span className="sr-only">{w.verdict}: </span>
          <Tag tone={toneOfVerdict[verdict]}>{w.verdicts[verdict]}</Tag>
        </p>
      )}
      {result && <Why modelId={model.id} result={result} />}
      <Facts
        columns={4}
        of={[
          !verdict && [w.status, <Status key="status" of={status} />],
          [w.against, sayAgainst(validation)],
          result && [
            w.judged,
            w.judgedRows(format.integer(result.judged.rows), format.integer(result.judged.labelled)),
          ],
          result &&
            result.judged.from !== null &&
            result.judged.until !== null && [
              r.period,
              r.between(format.day(result.judged.from), format.day(result.judged.until)),
            ],
          result &&
            result.judged.positives !== null && [
              r.came,
              format.percent(result.judged.positives / Math.max(1, result.judged.rows)),
            ],
          [r.asOf, <Moment key="as-of" at={validation.as_of} isExact />],
          segments.length > 0 && [r.segments, format.list(segments)],
          [w.when, <Moment key="when" at={validation.created_at} isExact />],
          [w.by, validation.created_by],
        ]}
      />
      {isUnderWay(validation) && (
        <div className="mt-4 flex flex-col items-start gap-3">
          <JobProgress fraction={fraction} label={w.progress} />
          <Stop modelId={model.id} validation={validation} />
        </div>
      )}
      {failure && (
        <div className="mt-4">
          <JobFailure title={w.failure} of={failure} />
        </div>
      )}
    </>
  );
}

function Stop({ modelId, validation }: { readonly modelId: string; readonly validation: Validation }) {
  const w = useWords(validationWords);
  const client = useClient();
  const { can } = useSession();
  const stop = useChange(() => client.models.validations.interrupt(modelId, validation.version_id, validation.id), {
    changes: [['models', modelId, 'validations']],
    isQuiet: true,
  });
  if (!can('manage_aliases')) return null;
  return <Interrupt words={w} onInterrupt={() => stop.mutateAsync(undefined)} />;
}

/** Says what a validation holds the version against: an alias with the version behind it then, or a version. */
function useSayAgainst(modelId: string): (validation: Validation) => string {
  const w = useWords(validationWords);
  const { data: versions } = useVersions(modelId);
  return ({ alias, compare_with_version_id: id }) => {
    const number = versions?.find((one) => one.id === id)?.number;
    const version = id === null ? w.itself : number === undefined ? w.versionBefore : `v${number}`;
    return alias === null ? version : `${alias} (${version})`;
  };
}

function All({
  modelId,
  rows,
  chosen,
  onSearch,
}: {
  readonly modelId: string;
  readonly rows: readonly Validation[];
  readonly chosen: string;
  onSearch(change: Partial<VersionSearch>): void;
}) {
  const w = useWords(validationWords);
  const sayAgainst = useSayAgainst(modelId);
  return (
    <Ledger
      label={w.all}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'when',
          head: w.when,
          cell: ({ id, created_at: at }) => (
            <JobButton isShown={id === chosen} onClick={() => onSearch({ validation: id })}>
              <Moment at={at} isExact />
            </JobButton>
          ),
          below: sayAgainst,
        },
        { key: 'against', head: w.against, isMinor: true, cell: sayAgainst },
        {
          key: 'verdict',
          head: w.verdict,
          cell: ({ status, verdict }) =>
            verdict ? <Dot tone={toneOfVerdict[verdict]}>{w.verdicts[verdict]}</Dot> : <Status of={status} />,
        },
        { key: 'by', head: w.by, isMinor: true, cell: ({ created_by: by }) => by },
      ]}
    />
  );
}
