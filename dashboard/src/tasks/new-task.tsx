import { LastroError } from '@lastro/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import type { ContractTable } from '../data/contract.ts';
import { useActiveContract, useContractDocument } from '../data/use-contracts.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Checkbox, Field, Input, Segmented } from '../kit/field.tsx';
import { Page, Panel, Section } from '../kit/page.tsx';
import { Failed, NoPermission, Skeleton } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { kindWords } from '../models/metric-names.ts';
import { useModelList } from '../models/use-models.ts';
import { pageNames } from '../shell/pages.ts';
import { DropZone } from '../uploads/drop-zone.tsx';
import { LeaveGuard } from '../uploads/leave-guard.tsx';
import { UploadList } from '../uploads/upload-list.tsx';
import { useUploads } from '../uploads/use-uploads.ts';
import { useWords } from '../words/words.ts';
import { Asked } from './asked.tsx';
import { QueryEditor } from './query-editor.tsx';
import { Clauses, Help, Kinds, Tables } from './question-help.tsx';
import { type Gap, gapOf, isQueryKind, type Kind, type Months, nameOfTask, starterOf } from './starters.ts';
import { type Anew, useAnew } from './use-anew.ts';
import { useFilledIn } from './use-filled-in.ts';
import { useMonths } from './use-months.ts';
import { taskWords } from './words.ts';
import { Wrong } from './wrong.tsx';

const namePattern = /^[a-z][\w-]{0,62}$/i;

const route = getRouteApi('/_app/tasks/new');

export function NewTask() {
  const w = useWords(taskWords);
  const { tasks } = useWords(pageNames);
  const { can } = useSession();
  const contract = useActiveContract();
  const document = useContractDocument(contract.data?.document);
  const search = route.useSearch();
  const anew = useAnew(search);
  const months = useMonths();
  if (!can('manage_aliases')) return <NoPermission permission="manage_aliases" />;
  const error = contract.error ?? document.error ?? anew.error;
  const isLoaded =
    (contract.data === null || document.data !== undefined) &&
    months !== undefined &&
    (search.from === undefined || anew.isSuccess);
  return (
    <Page title={w.newTask} back={{ label: tasks, to: '/tasks' }} description={w.description}>
      {error ? (
        <Failed error={error} onRetry={() => Promise.all([contract.refetch(), search.from && anew.refetch()])} />
      ) : isLoaded ? (
        <Form key={search.from} tables={document.data?.tables ?? []} months={months} anew={anew.data} />
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

/** `anew`: what it begins with, where it is another task written anew. */
function Form({
  tables,
  months,
  anew,
}: {
  readonly tables: readonly ContractTable[];
  readonly months: Months;
  readonly anew: Anew | undefined;
}) {
  const w = useWords(taskWords);
  const { names: kindNames } = useWords(kindWords);
  const { client, can } = useSession();
  const navigate = useNavigate();
  const { mode = anew?.form ?? 'query', ...rest } = route.useSearch();
  const setMode = (next: 'query' | 'yaml') =>
    navigate({ to: '/tasks/new', search: { ...rest, mode: next }, replace: true });
  const [name, setName] = useState(anew?.name ?? '');
  const suggested = useRef('');
  const question = useRef<HTMLDivElement>(null);
  // What was begun from, as long as it stands as it was written.
  const [begun, setBegun] = useState<{ readonly kind: Kind; readonly text: string } | null>(null);
  const isNameWrong = name !== '' && !namePattern.test(name);
  const [texts, setTexts] = useState({ query: 'PREDICT ', yaml: '', ...(anew && { [anew.form]: anew.definition }) });
  const uploads = useUploads();
  const models = useModelList();
  // Of a model that is there already callers may name the alias.
  const isFirst = name !== '' && models.data?.has_more === false && !models.data.data.some((one) => one.name === name);
  const [wantsAlias, setWantsAlias] = useState(true);
  const isServed = isFirst && wantsAlias;
  const isYaml = mode === 'yaml';
  const definition = texts[mode];
  const chosen = begun !== null && begun.text === definition ? begun.kind : null;
  const gap = isYaml ? null : gapOf(definition);
  const [firstFile] = uploads.files;
  const filled = useFilledIn(firstFile, tables, (text, before) => {
    create.reset();
    setTexts(({ query, yaml }) => ({ query, yaml: yaml.trim() === '' || yaml === before ? text : yaml }));
  });
  const isFilled = isYaml && definition !== '' && definition === filled.text;
  const [train, validation] = uploads.files.map(({ id }) => id);
  // The files of the task that is written anew, as long as no others are sent.
  const labels = train ? { train, ...(validation ? { validation } : {}) } : anew?.labels;
  const hasFiles = isYaml && labels?.train !== undefined;
  const body = { name, definition, ...(hasFiles ? { labels } : {}) };
  const create = useChange<void, { readonly id: string }>(() => client.tasks.create(body), {
    changes: [['tasks']],
    isQuiet: true,
  });
  const learn = useChange(
    (task: string) =>
      client.trainingRuns.create({ task_id: task, ...(isServed && { alias: 'production', hold_back_worse: true }) }),
    { changes: [['training-runs'], ['models']] },
  );
  const write = (text: string, into: 'query' | 'yaml' = mode) => {
    create.reset();
    setTexts((before) => ({ ...before, [into]: text }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A refusal is shown below.
    const task = await create.mutateAsync().catch(() => null);
    if (!task) return;
    say(w.created(name));
    await navigate({ to: '/tasks/$task_id', params: { task_id: task.id } });
  };
  /** Goes on to the run; where that is refused, to the task, which is there all the same. */
  const createAndTrain = async () => {
    const task = await create.mutateAsync().catch(() => null);
    if (!task) return;
    const run = await learn.mutateAsync(task.id).catch(() => null);
    if (run) await navigate({ to: '/training-runs/$run_id', params: { run_id: run.id } });
    else await navigate({ to: '/tasks/$task_id', params: { task_id: task.id } });
  };
  /** Why the task cannot be created yet; null where it can. */
  const missingOf = (): string | null => {
    if (name === '') return w.nameFirst;
    if (isNameWrong) return w.nameRight;
    if (isYaml && definition.trim() === '') return w.definitionFirst;
    if (/^\s*(PREDICT\s*)?$/i.test(definition)) return w.questionFirst;
    if (gap) return w.gapFirst;
    if (!isYaml || uploads.files.length === 0 || uploads.isDone) return null;
    return uploads.files.some(({ phase }) => phase === 'failed') ? w.filesFailed : w.filesFirst;
  };
  const missing = missingOf();
  const begin = (kind: Kind) => {
    const text = starterOf(kind, tables, months);
    if (text === null) return;
    setBegun({ kind, text });
    const into = isQueryKind(kind) ? 'query' : 'yaml';
    write(text, into);
    // Nobody has to think of a name before there is a question.
    if (name === '' || name === suggested.current) setName((suggested.current = nameOfTask(kind, tables)));
    void setMode(into);
    question.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      {!anew && <Kinds hasTables={starterOf('binary', tables) !== null} chosen={chosen} onChoose={begin} />}
      <h2 className="mb-3 font-semibold text-section">{chosen || anew ? w.yourQuestion : w.writeYourself}</h2>
      <form onSubmit={submit} className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-4">
          {tables.length === 0 && (
            <Panel className="flex flex-wrap items-center gap-3 p-3">
              <p className="min-w-0 flex-1">{w.noContract}</p>
              <Link to="/data/send" className={buttonClass()}>
                {w.sendData}
              </Link>
            </Panel>
          )}
          <Field label={w.name} hint={w.nameHint} error={isNameWrong ? w.nameWrong : placeError(create.error, '/name')}>
            <Input
              required
              maxLength={200}
              className="sm:!w-80"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <div>
            <Segmented
              label={w.mode}
              options={[
                { value: 'query', label: w.query },
                { value: 'yaml', label: w.yaml },
              ]}
              value={mode}
              onValue={setMode}
            />
          </div>
          <div ref={question} className="scroll-mt-16">
            <Field label={w.queryLabel} hint={isYaml ? w.yamlHint : w.queryHint}>
              <QueryEditor
                key={mode}
                value={definition}
                tables={tables}
                isYaml={isYaml}
                placeholder={isYaml && !firstFile ? w.definitionTemplate : undefined}
                onValue={write}
              />
            </Field>
          </div>
          <div role="status" className="empty:hidden">
            {chosen && (
              <p className="break-words text-ink2">
                {w.begun(kindNames[chosen])} {months.size > 0 && w.begunAhead}
              </p>
            )}
            {gap && <p className="break-words text-warn">{sayGap(gap, w.gaps)}</p>}
            {isFilled && (
              <p className="break-words text-ink2">
                {filled.isRead ? w.filledIn(filled.file) : w.filledBlank(filled.file)}
              </p>
            )}
            {anew && definition === anew.definition && (
              <p className="break-words text-ink2">
                {w.anew(anew.of)} {!firstFile && anew.labels?.train && w.anewFiles}
              </p>
            )}
            {!isYaml && firstFile && (
              <p className="break-words text-ink2">
                {w.filesUnused(uploads.files.map(({ file }) => file.name).join(', '))}
              </p>
            )}
          </div>
          <Asked definition={definition} isRefused={create.error !== null} onCorrect={write} />
          {create.error && <Wrong error={create.error} definition={definition} onCorrect={write} />}
          {isYaml && can('upload_files') && (
            <Section title={w.filesTitle} description={w.filesBody} className="!mt-0">
              <DropZone
                accept=".csv,.parquet,.jsonl"
                hint="CSV, Parquet, JSONL"
                isSmall
                onFiles={(files) => uploads.add(files)}
              />
              {uploads.files.length > 0 && <UploadList uploads={uploads} />}
            </Section>
          )}
          {isFirst && (
            <div>
              <Checkbox
                label={w.serveFirst}
                checked={wantsAlias}
                onChange={({ target }) => setWantsAlias(target.checked)}
              />
              <p className="ml-6 text-ink3 text-meta">{w.serveFirstHint}</p>
            </div>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <Button
              kind="primary"
              isBusy={create.isPending || learn.isPending}
              disabled={missing !== null}
              onClick={createAndTrain}
            >
              {w.createAndTrain}
            </Button>
            <Button submits isBusy={create.isPending} disabled={missing !== null || learn.isPending}>
              {w.create}
            </Button>
            {missing && <p className="text-ink2">{missing}</p>}
            <CodeButton
              request={{
                method: 'POST',
                path: '/v1/api/tasks',
                body,
                typescript: `lastro.tasks.create(${JSON.stringify(body)})`,
              }}
            />
          </div>
          <p className="text-ink2">{hasFiles ? w.createdFromFiles : w.createdFirst}</p>
          <Clauses tables={tables} months={months} onTry={(query) => write(query, 'query')} isYaml={isYaml} />
        </div>
        <aside aria-label={w.help} className="flex min-w-0 flex-col gap-6">
          <Help />
          {tables.length > 0 && <Tables tables={tables} />}
        </aside>
      </form>
      {/* Outside of the form: a submit in a dialog rises through it to where it is rendered. */}
      <LeaveGuard isOn={isYaml && uploads.isBusy} />
    </>
  );
}

function sayGap(gap: Gap, w: (typeof taskWords)['en']['gaps']): string {
  return gap.what === 'paid' ? w.paid(gap.table) : w[gap.what];
}

function placeError(error: unknown, pointer: string): string | undefined {
  return error instanceof LastroError ? error.errors.find((place) => place.pointer === pointer)?.detail : undefined;
}
