import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { fileName } from '../batches/batch.ts';
import { sayMapping } from '../batches/mapping.ts';
import { useDataZone } from '../data/data-zone.tsx';
import { buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Interrupt } from '../kit/interrupt.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Panel, Section } from '../kit/page.tsx';
import { Detail, Failed, Skeleton, Why } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Evaluation, isUnderWay, memoryOf, nameOf, useMayEvaluate, useModels } from './use-evaluations.ts';
import { sayEvaluationWarning } from './warning-words.ts';
import { evaluationWords } from './words.ts';

/** What was measured, which there is not while it is being asked. */
const EvaluatedOutputs = lazy(async () => ({
  default: (await importPart(() => import('./outputs.tsx'))).EvaluatedOutputs,
}));

const route = getRouteApi('/_app/evaluations/$evaluation_id');
const watchedEveryMs = 1_500;

export function EvaluationPage() {
  const { evaluation_id: id } = route.useParams();
  const { evaluations } = useWords(pageNames);
  const client = useClient();
  const { data, error, refetch } = useData(
    ['evaluations', id],
    (signal) => client.evaluations.get(id, {}, { signal }),
    { everyMs: (now) => (now && isUnderWay(now) ? watchedEveryMs : false) },
  );
  if (data) return <Loaded evaluation={data} />;
  return (
    <Page title="…" back={{ label: evaluations, to: '/evaluations' }}>
      {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
    </Page>
  );
}

function Loaded({ evaluation }: { readonly evaluation: Evaluation }) {
  const w = useWords(evaluationWords);
  const { evaluations } = useWords(pageNames);
  const format = useFormat();
  const { can } = useSession();
  const mayEvaluate = useMayEvaluate();
  const models = useModels();
  const client = useClient();
  const interrupt = useChange(() => client.evaluations.interrupt(evaluation.id), {
    changes: [['evaluations']],
    isQuiet: true,
  });
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/evaluations/$evaluation_id' });
  const title = w.title(nameOf(evaluation.model, models), fileName(evaluation.path));
  const { model, compare_with: other, result, failure } = evaluation;
  const mapping = sayMapping(evaluation.column_mapping);
  return (
    <Page
      isWide
      title={<bdi>{title}</bdi>}
      tab={title}
      progress={isUnderWay(evaluation) ? evaluation.fraction : null}
      back={{ label: evaluations, to: '/evaluations' }}
      description={<Status of={evaluation.status} />}
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/evaluations/${evaluation.id}`,
              typescript: `lastro.evaluations.get('${evaluation.id}')`,
            }}
          />
          {can('cancel_batches') && isUnderWay(evaluation) && (
            <Interrupt words={w} onInterrupt={() => interrupt.mutateAsync(undefined)} />
          )}
          {mayEvaluate && (
            <Link
              to="/evaluations/new"
              search={{
                model: model.model_id,
                version: model.version_id,
                ...(other?.model_id === model.model_id ? { against: other.version_id } : {}),
                file: evaluation.file_id,
                ...(mapping === '' ? {} : { columns: evaluation.column_mapping }),
                ...(evaluation.segments.length > 0 ? { segments: evaluation.segments.join(', ') } : {}),
                ...(evaluation.reference_date !== null ? { day: evaluation.reference_date } : {}),
              }}
              className={buttonClass()}
            >
              {w.again}
            </Link>
          )}
        </>
      }
    >
      {isUnderWay(evaluation) && (
        <Panel className="mb-6 p-4">
          <p aria-live="polite" className="mb-2 font-semibold text-hero tracking-[-0.045em]">
            {format.percent(Math.floor(100 * evaluation.fraction) / 100)}
          </p>
          <Progress share={evaluation.fraction} label={w.progress} />
        </Panel>
      )}
      {failure && (
        <Section title={w.failure} className="!mt-0 mb-6">
          <div role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
            <Why code={failure.code} because={failure.because}>
              {failure.detail}
            </Why>
          </div>
        </Section>
      )}
      <Facts
        columns={4}
        of={[
          [w.evaluated, <VersionLink key="model" of={model} name={nameOf(model, models)} />],
          other !== null && [w.against, <VersionLink key="other" of={other} name={nameOf(other, models)} />],
          [w.file, <bdi key="file">{evaluation.path}</bdi>],
          [w.asked, <Moment key="asked" at={evaluation.created_at} isExact />],
          mapping !== '' && [w.columnMapping, mapping],
          evaluation.reference_date !== null && [w.referenceDate, format.day(evaluation.reference_date)],
          result && [w.read, format.integer(result.rows.read)],
          result && [w.unreadable, format.integer(result.rows.unreadable)],
          result && [w.unknown, format.integer(result.rows.unknown)],
          ['id', <Id key="id" id={evaluation.id} />],
        ]}
      />
      {result && (
        <>
          <Cautions result={result} />
          <Suspense fallback={<Skeleton />}>
            <EvaluatedOutputs
              result={result}
              taskId={models?.get(model.model_id)?.task_id}
              names={[nameOf(model, models), other && nameOf(other, models)]}
              chosen={search}
              onChoose={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
            />
          </Suspense>
          {result.errors.length > 0 && (
            <Section title={w.errors}>
              <Ledger
                label={w.errors}
                rows={result.errors}
                keyOf={({ row, column }) => `${row} ${column}`}
                columns={[
                  { key: 'row', head: w.row, isRight: true, cell: ({ row }) => format.integer(row) },
                  {
                    key: 'column',
                    head: w.column,
                    cell: ({ column }) => column && <code className="break-all font-mono text-meta">{column}</code>,
                  },
                  {
                    key: 'why',
                    head: w.why,
                    cell: ({ message, because }) => (
                      <span className="break-words">
                        <Detail because={because}>{message}</Detail>
                      </span>
                    ),
                  },
                ]}
              />
            </Section>
          )}
        </>
      )}
    </Page>
  );
}

function VersionLink({ of, name }: { readonly of: Evaluation['model']; readonly name: string }) {
  return (
    <Link
      to="/models/$model_id/versions/$version_id"
      params={{ model_id: of.model_id, version_id: of.version_id }}
      className="text-accent underline underline-offset-2"
    >
      {name}
    </Link>
  );
}

/** What lessens the worth of the result. */
function Cautions({ result }: { readonly result: NonNullable<Evaluation['result']> }) {
  const { learned, warnings, warning_codes: codes } = result;
  const w = useWords(evaluationWords);
  const zone = useDataZone();
  const format = useFormat();
  const hasLearned = learned !== null && learned.rows > 0;
  // The service says in a sentence what `learned` has in numbers, which are said here in the language of the page.
  const told = warnings.map((text, at) => {
    const said = format.language === 'en' ? null : sayEvaluationWarning(codes?.[at], format);
    return { text, said };
  });
  const others = hasLearned ? told.filter(({ text }) => !text.includes('may have been learned from')) : told;
  if (!hasLearned && others.length === 0) return null;
  return (
    <Section title={w.warnings}>
      <ul className="flex flex-col gap-2">
        {hasLearned && (
          <li className="rounded-[6px] border border-warn/40 bg-warn-soft px-3 py-2">
            <p className="font-medium">
              {memoryOf(result) === 'memory' ? w.remembered : learned.rows === learned.of ? w.learnedAll : w.learned}
            </p>
            <p>
              {w.learnedBody(
                format.integer(learned.rows),
                format.integer(learned.of),
                format.day(learned.newest_label.slice(0, 10)) + (zone ? ` (${zone})` : ''),
              )}{' '}
              {learned.matched ? w.matched(format.integer(learned.matched)) : null}
            </p>
          </li>
        )}
        {others.length > 0 && (
          <li className="rounded-[6px] border border-warn/40 bg-warn-soft px-3 py-2">
            {others.map(({ text, said }) => (
              <p key={text} lang={said === null ? 'en' : undefined} className="break-words">
                {said ?? text}
              </p>
            ))}
          </li>
        )}
      </ul>
    </Section>
  );
}
