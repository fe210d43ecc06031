import type { Body } from '@lastro/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { dayIn } from '../kit/day.ts';
import { Page, Section } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { NoPermission, Refusal } from '../kit/states.tsx';
import { useVersion } from '../models/use-models.ts';
import { VersionDoubts } from '../models/version-doubts.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { csvLine } from '../uploads/csv.ts';
import { DropZone } from '../uploads/drop-zone.tsx';
import { LeaveGuard } from '../uploads/leave-guard.tsx';
import { UploadList } from '../uploads/upload-list.tsx';
import { useHeads } from '../uploads/use-heads.ts';
import { useUploads } from '../uploads/use-uploads.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { BatchLink } from './batch-link.tsx';
import type { BatchOptions } from './batch-options.ts';
import { BatchOptionFields } from './batch-options.tsx';
import { checkRows, type Finding, isRefusedWhole, unreadColumns } from './check-rows.ts';
import { type Input, mapColumns, mappingOf } from './column-mapping.ts';
import { FileFindings } from './file-findings.tsx';
import type { Mapping } from './mapping.ts';
import { MappingFields } from './mapping-fields.tsx';
import { chosenOf, optionsOf } from './new-batch-search.ts';
import { TargetPicker } from './target-picker.tsx';
import { batchWords } from './words.ts';

/** Loaded once a model is chosen. */
const OldData = lazy(async () => ({ default: (await importPart(() => import('./old-data.tsx'))).OldData }));

const route = getRouteApi('/_app/batches/new');
const readable = /\.(csv|tsv|txt|parquet|pq|jsonl|ndjson|json)(\.gz)?$/i;
const accepted = '.csv,.tsv,.txt,.parquet,.pq,.jsonl,.ndjson,.json,.gz';
const namesShown = 12;

export function NewBatch() {
  const { can } = useSession();
  if (!can('create_batches')) return <NoPermission permission="create_batches" />;
  if (!can('upload_files')) return <NoPermission permission="upload_files" />;
  return <Form />;
}

function Form() {
  const w = useWords(batchWords);
  const { batches: list } = useWords(pageNames);
  const client = useClient();
  const { workspace } = useSession();
  const search = route.useSearch();
  const { model, target, columns, corrects } = search;
  const navigate = useNavigate({ from: '/batches/new' });
  const uploads = useUploads();
  const { heads, read } = useHeads();
  const [options, setOptions] = useState(() => optionsOf(search));
  const [isAsked, setAsked] = useState(false);
  const [wrongFiles, setWrongFiles] = useState<readonly string[]>([]);
  const isTargetKnown = Boolean(model && target);
  const version = useVersion(model || undefined, target || undefined);
  const inputs = version.data?.inputs;
  const [chosen, setChosen] = useState<Mapping>({});
  const mapped = useMemo(() => {
    const known = uploads.files.flatMap(({ key }) => heads.get(key) ?? []);
    if (known.length === 0 || !inputs) return [];
    const today = dayIn(workspace?.time_zone ?? 'UTC', new Date().toISOString());
    return mapColumns(known, inputs, { ...chosenOf({ columns }, inputs), ...chosen }, { today });
  }, [uploads.files, heads, inputs, chosen, columns, workspace]);
  const mapping = useMemo(() => mappingOf(mapped), [mapped]);
  const findings = useFindings(heads, inputs, options.day !== '', mapping);
  // Rows with a day of their own are of that, whichever is asked for.
  const hasOwnDays =
    mapped.some(({ input, column }) => column !== '' && isDating(input)) ||
    (options.day === '' && inputs?.some(({ dates_row }) => dates_row) === true);
  const isRefused = uploads.files.some(({ key }) => isRefusedWhole(heads.get(key), findings.get(key)));

  const keys = useRef({ asked: '', key: '' });
  const create = useChange(
    (body: Body<'batches.create'>) => {
      const asked = JSON.stringify(body);
      // The same batch asked for again, after its answer was lost, is one batch.
      if (keys.current.asked !== asked) keys.current = { asked, key: crypto.randomUUID() };
      return client.batches.create(body, { idempotencyKey: keys.current.key });
    },
    { changes: [['batches']], isQuiet: true },
  );
  const references = unreadColumns(
    uploads.files.map(({ key }) => ({ head: heads.get(key) ?? null, findings: findings.get(key) ?? [] })),
  );
  const hasOutput = (name: string) => version.data?.outputs.some((output) => output.name === name) ?? false;
  const asked = {
    ...options,
    // Files may have come and gone since it was chosen.
    reference: references === null || references.includes(options.reference) ? options.reference : '',
    hasRow: options.hasRow && !hasOutput('row'),
    hasWarnings: options.hasWarnings && !hasOutput('warnings'),
  };
  const format = useFormat();
  const { language } = format;
  const isOther = workspace?.language !== language;
  const ids = uploads.files.flatMap(({ id }) => id ?? []);
  const body = bodyOf(
    `${model ?? '<model>'}/${target ?? 'production'}`,
    ids,
    asked,
    mapping,
    isOther ? language : undefined,
    corrects,
  );
  const start = async (): Promise<void> => {
    const made = await create.mutateAsync(body).catch(() => null);
    setAsked(false);
    if (made) await navigate({ to: '/batches/$batch_id', params: { batch_id: made.id }, search: {}, replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once all is sent
  useEffect(() => {
    if (isAsked && uploads.isDone && !create.isPending) void start();
  }, [isAsked, uploads.isDone]);

  const add = (files: readonly File[]) => {
    const problems = files.flatMap(({ name, size }) =>
      !readable.test(name) ? [w.notAFile(name)] : size === 0 ? [w.emptyFile(name)] : [],
    );
    setWrongFiles(problems);
    read(uploads.add(files.filter(({ name, size }) => readable.test(name) && size > 0)));
  };
  const hasFiles = uploads.files.length > 0;
  return (
    <Page
      title={w.create}
      back={{ label: list, to: '/batches' }}
      description={w.newDescription}
      progress={uploads.isBusy ? uploads.share : null}
      actions={<CodeButton request={shownRequest(body, uploads.files[0]?.file.name)} />}
    >
      <TargetPicker
        model={model}
        target={target}
        onChange={(chosen) =>
          navigate({
            search: (before) => ({
              ...before,
              ...chosen,
              target: chosen.target || undefined,
              // Another model has other inputs.
              ...(chosen.model === before.model ? {} : { columns: undefined }),
            }),
            replace: true,
          })
        }
      />
      {version.isError && <Refusal error={version.error} />}
      {version.data && <VersionDoubts version={version.data} />}
      {inputs && !hasOwnDays && (
        <Suspense>
          <OldData day={options.day} onDay={(day) => setOptions((before) => ({ ...before, day }))} />
        </Suspense>
      )}
      {inputs && <Columns inputs={inputs} />}
      {columns && (
        <p role="status" className="mt-2 text-ink2">
          {w.asBefore}
        </p>
      )}
      {corrects && (
        <p className="mt-2 text-ink2">
          <BatchLink id={corrects} say={w.willCorrect} />{' '}
          <button
            type="button"
            className="text-accent underline underline-offset-2"
            onClick={() => navigate({ search: (before) => ({ ...before, corrects: undefined }), replace: true })}
          >
            {w.correctsNone}
          </button>
        </p>
      )}
      <div className="mt-4 flex flex-col gap-3">
        {hasFiles && (
          <UploadList uploads={uploads}>
            {({ key }) => (
              <FileFindings
                head={heads.has(key) ? heads.get(key) : undefined}
                findings={findings.get(key) ?? null}
                isKept={options.hasColumns}
              />
            )}
          </UploadList>
        )}
        <DropZone accept={accepted} hint={w.hint} isSmall={hasFiles} onFiles={add} />
        {mapped.length > 0 && (
          <MappingFields
            mapped={mapped}
            body={w.mappingBody}
            undated={options.day === '' ? w.undatedNow : w.undatedAsOf(format.day(options.day))}
            onChange={(input, column) => setChosen((before) => ({ ...before, [input]: column }))}
          />
        )}
        {wrongFiles.map((problem) => (
          <Refusal key={problem} error={problem} />
        ))}
      </div>
      <Section title={w.options}>
        <BatchOptionFields options={asked} references={hasFiles ? references : []} onChange={setOptions} />
      </Section>
      {create.isError && (
        <div className="mt-4">
          <Refusal error={create.error} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <Button
          kind="primary"
          isBusy={isAsked || create.isPending}
          disabled={!hasFiles || !isTargetKnown || isRefused}
          onClick={() => setAsked(true)}
        >
          {uploads.isDone || !hasFiles ? w.start : w.startWhenSent}
        </Button>
        {isAsked && !uploads.isDone && (
          <p role="status" className="text-ink2">
            {w.starts}
          </p>
        )}
      </div>
      <LeaveGuard isOn={uploads.isBusy} />
    </Page>
  );
}

const isDating = ({ name, dates_row: dates }: Input): boolean => name === 'reference_date' || dates !== undefined;

function useFindings(
  heads: ReturnType<typeof useHeads>['heads'],
  inputs: readonly Input[] | undefined,
  isDayGiven: boolean,
  mapping: Mapping,
): ReadonlyMap<string, readonly Finding[]> {
  return useMemo(
    () =>
      new Map(
        [...heads].flatMap(([key, head]) =>
          head && inputs ? [[key, checkRows(head, inputs, isDayGiven, mapping)]] : [],
        ),
      ),
    [heads, inputs, isDayGiven, mapping],
  );
}

/** What the version takes, with a file to fill in. */
function Columns({ inputs }: { readonly inputs: readonly Input[] }) {
  const w = useWords(batchWords);
  const named = (isRequired: boolean): string => {
    const names = inputs.filter(({ required }) => required === isRequired).map(({ name }) => name);
    const shown = names.slice(0, namesShown).join(', ');
    return names.length > namesShown ? `${shown} ${w.takesMore(names.length - namesShown)}` : shown;
  };
  const optional = named(false);
  return (
    <p className="mt-2 break-words text-ink2">
      {w.takes(named(true), inputs.filter(({ required }) => required).length)} {optional && w.optional(optional)}{' '}
      <button
        type="button"
        className="text-accent underline underline-offset-2"
        onClick={() => saveAs('columns.csv', csvLine(inputs.map(({ name }) => name)))}
      >
        {w.sample}
      </button>
    </p>
  );
}

function bodyOf(
  model: string,
  files: readonly string[],
  { format, day, priority, hasInterval, hasColumns, hasRow, hasWarnings, reference }: BatchOptions,
  mapping: Mapping,
  language: Body<'batches.create'>['language'],
  corrects: string | undefined,
): Body<'batches.create'> {
  const include = [
    ...(hasInterval ? (['interval'] as const) : []),
    ...(hasColumns ? (['input_columns'] as const) : []),
    ...(hasRow ? (['row'] as const) : []),
    ...(hasWarnings ? (['warnings'] as const) : []),
  ];
  return {
    files: [...files],
    model,
    ...(format === 'excel'
      ? { output_format: 'csv' as const, csv_dialect: 'excel_semicolon' as const }
      : format
        ? { output_format: format }
        : {}),
    ...(day ? { reference_date: day } : {}),
    ...(Number(priority) ? { priority: Number(priority) } : {}),
    ...(language ? { language } : {}),
    ...(corrects ? { corrects } : {}),
    ...(include.length > 0 ? { include } : {}),
    ...(reference ? { reference_column: reference } : {}),
    ...(Object.keys(mapping).length > 0 ? { column_mapping: mapping } : {}),
  };
}

/** The API takes ids of files that are there; the client sends them as well. */
function shownRequest(body: Body<'batches.create'>, name = 'customers.csv') {
  const { files, ...asked } = body;
  return {
    method: 'POST' as const,
    path: '/v2/api/batches',
    body: files.length > 0 ? body : { ...body, files: ['<file_…>'] },
    typescript: `lastro.batches.run({\n  ...${JSON.stringify(asked)},\n  files: [localFile(${JSON.stringify(name)})], // import { localFile } from '@lastro/sdk/node'\n})`,
  };
}
