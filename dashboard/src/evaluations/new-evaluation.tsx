import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { checkRows, type Finding, isRefusedWhole } from '../batches/check-rows.ts';
import { labelledRows, mapColumns, mappingOf } from '../batches/column-mapping.ts';
import type { Mapping } from '../batches/mapping.ts';
import { useActiveContract, useContractDocument } from '../data/use-contracts.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Field, Input, Segmented, Select } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, Failed, NoPermission, Refusal, Skeleton } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { type Model, useModelList, useVersion, useVersions } from '../models/use-models.ts';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { useSayVersion } from '../training-runs/say-version.ts';
import { DropZone } from '../uploads/drop-zone.tsx';
import type { Head } from '../uploads/head-of-file.ts';
import { LeaveGuard } from '../uploads/leave-guard.tsx';
import { UploadList } from '../uploads/upload-list.tsx';
import { useHeads } from '../uploads/use-heads.ts';
import { useUploads } from '../uploads/use-uploads.ts';
import { useWords } from '../words/words.ts';
import { inputsOf, LabelledColumns } from './labelled-columns.tsx';
import type { NewEvaluationSearch } from './new-evaluation-search.ts';
import { UploadedFiles, useStoredHead } from './stored-files.tsx';
import { type Evaluation, useMayEvaluate } from './use-evaluations.ts';
import { evaluationWords } from './words.ts';

/** Loaded once there is a file to say something of, with the words of batches. */
const FileFindings = lazy(async () => ({
  default: (await importPart(() => import('../batches/file-findings.tsx'))).FileFindings,
}));
const MappingFields = lazy(async () => ({
  default: (await importPart(() => import('../batches/mapping-fields.tsx'))).MappingFields,
}));

const route = getRouteApi('/_app/evaluations/new');

export function NewEvaluation() {
  const w = useWords(evaluationWords);
  const { evaluations } = useWords(pageNames);
  const mayEvaluate = useMayEvaluate();
  const { can } = useSession();
  const models = useModelList();
  if (!mayEvaluate) return <NoPermission permission={can('create_batches') ? 'upload_files' : 'create_batches'} />;
  return (
    <Page title={w.newOne} description={w.newBody} back={{ label: evaluations, to: '/evaluations' }}>
      {models.isError ? (
        <Failed error={models.error} onRetry={() => models.refetch()} />
      ) : !models.data ? (
        <Skeleton />
      ) : models.data.data.length === 0 ? (
        <Empty title={w.noModels} />
      ) : (
        <Form models={models.data.data} />
      )}
    </Page>
  );
}

function Form({ models }: { readonly models: readonly Model[] }) {
  const w = useWords(evaluationWords);
  const client = useClient();
  const navigate = useNavigate();
  const search = route.useSearch();
  const set = (change: NewEvaluationSearch) =>
    navigate({ to: '/evaluations/new', search: { ...search, ...change }, replace: true });
  const model = models.find(({ id }) => id === search.model) ?? models[0];
  const made = useVersions(model.id).data;
  const versions = made ?? [];
  const version = versions.find(({ id }) => id === search.version) ?? versions[0];
  const against = versions.find(({ id }) => id === search.against && id !== version?.id);
  const { can } = useSession();
  const sources = (['upload', 'files'] as const).filter((one) => can(one === 'upload' ? 'upload_files' : 'view_files'));
  const isKept = search.file !== undefined && sources.includes('files');
  const [source, setSource] = useState(isKept ? 'files' : sources[0]);
  const [file, setFile] = useState(search.file ?? '');
  const [segments, setSegments] = useState(search.segments ?? '');
  const [day, setDay] = useState(search.day ?? '');
  const uploads = useUploads();
  const { heads, read: readHeads } = useHeads();
  const [mapping, setMapping] = useState<Mapping>(search.columns ?? {});
  const needed = useData(
    ['models', model.id, 'labelled-file', version?.id],
    (signal) => client.models.versions.getLabelledFile(model.id, version!.id, { signal }),
    { isOn: version !== undefined },
  );
  const chosen = source === 'upload' ? (uploads.files.at(-1)?.id ?? '') : file;
  const columns = segments.split(',').flatMap((one) => one.trim() || []);
  // The day of each row stands in a column of its own.
  const datedBy = needed.data?.columns.find(({ role }) => role === 'time')?.name ?? '';
  const stored = useStoredHead(source === 'files' ? file : '');
  const sent = source === 'upload' ? heads.get(uploads.files.at(-1)?.key ?? '') : stored;
  const mapped =
    sent && needed.data ? mapColumns([sent], inputsOf(needed.data), mapping, { mapped: labelledRows(datedBy) }) : [];
  // Of a file that cannot be looked into, what was chosen is kept as far as the version knows it.
  const names = new Set(needed.data?.columns.map(({ name }) => name));
  const read = sent
    ? mappingOf(mapped)
    : Object.fromEntries(Object.entries(mapping).filter(([name]) => names.has(name)));
  const findingsOf = (head: Head | null | undefined) => {
    if (!head || !needed.data) return null;
    // A row may do without each of them, but not a file without all.
    if (mapped.every(({ column }) => column === ''))
      return [{ kind: 'missing' as const, columns: needed.data.columns.map(({ name }) => name) }];
    // Segments are read besides.
    return checkRows(head, inputsOf(needed.data), true, read, datedBy).flatMap((finding): readonly Finding[] => {
      if (finding.kind !== 'unknown') return [finding];
      const unread = finding.columns.filter((name) => !columns.includes(name));
      return unread.length > 0 ? [{ ...finding, columns: unread }] : [];
    });
  };
  const ofTable = useTableColumns(model.id, version?.id);
  const known = sent && ofTable && new Set([...sent.columns, ...ofTable].map((name) => name.trim().toLowerCase()));
  const unknown = known ? columns.filter((name) => !known.has(name.toLowerCase())) : [];
  const findings = findingsOf(sent);
  const isRefused = isRefusedWhole(sent, findings);
  const targetOf = (id: string) => `${model.id}/${id}`;
  const body = {
    file: chosen,
    model: targetOf(version?.id ?? ''),
    ...(against ? { compare_with: targetOf(against.id) } : {}),
    ...(columns.length > 0 ? { segments: columns } : {}),
    ...(Object.keys(read).length > 0 ? { column_mapping: read } : {}),
    ...(day ? { reference_date: day } : {}),
  };
  const create = useChange<void, Evaluation>(() => client.evaluations.create(body), {
    changes: [['evaluations']],
    isQuiet: true,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A refusal is shown below.
    const evaluation = await create.mutateAsync().catch(() => null);
    if (!evaluation) return;
    say(w.began);
    await navigate({ to: '/evaluations/$evaluation_id', params: { evaluation_id: evaluation.id } });
  };
  const sayVersion = useSayVersion();
  const options = versions.map((one) => ({ value: one.id, label: sayVersion(one) }));
  return (
    <>
      <form onSubmit={submit} className="flex max-w-2xl flex-col gap-5">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={w.model}>
            <Select
              value={model.id}
              options={models.map(({ id, name }) => ({ value: id, label: name }))}
              onValue={(id) => {
                setMapping({});
                set({ model: id, version: undefined, against: undefined, columns: undefined });
              }}
            />
          </Field>
          <Field label={w.version} error={made?.length === 0 && w.noVersions}>
            <Select value={version?.id ?? ''} options={options} onValue={(id) => set({ version: id })} />
          </Field>
          <Field label={w.other} hint={w.otherHint} isOptional>
            <Select
              value={against?.id ?? ''}
              options={[{ value: '', label: w.noOther }, ...options.filter(({ value }) => value !== version?.id)]}
              onValue={(id) => set({ against: id || undefined })}
            />
          </Field>
        </div>
        <fieldset>
          <legend className="mb-1 font-medium">{w.labelled}</legend>
          {needed.data && <LabelledColumns file={needed.data} />}
          {sources.length > 1 && (
            <div className="mb-2">
              <Segmented
                label={w.labelled}
                options={sources.map((value) => ({ value, label: value === 'upload' ? w.upload : w.uploaded }))}
                value={source}
                onValue={setSource}
              />
            </div>
          )}
          {source === 'upload' ? (
            <div className="flex flex-col gap-2">
              {uploads.files.length > 0 && (
                <UploadList uploads={uploads}>
                  {({ key }) => (
                    <Suspense>
                      <FileFindings head={heads.get(key)} findings={findings} hasResult={false} />
                    </Suspense>
                  )}
                </UploadList>
              )}
              <DropZone
                accept=".csv,.parquet,.jsonl"
                hint="CSV, Parquet, JSONL"
                isSmall={uploads.files.length > 0}
                onFiles={(files) => {
                  for (const { key } of uploads.files) uploads.remove(key);
                  readHeads(uploads.add(files.slice(0, 1)));
                }}
              />
            </div>
          ) : (
            <div className="flex flex-col gap-2">
              <UploadedFiles value={file} onValue={setFile} />
              {stored && (
                <Suspense>
                  <FileFindings head={stored} findings={findings} hasResult={false} />
                </Suspense>
              )}
            </div>
          )}
          {mapped.length > 0 && (
            <div className="mt-2">
              <Suspense>
                <MappingFields
                  mapped={mapped}
                  body={w.mappingBody}
                  onChange={(name, column) => setMapping((before) => ({ ...before, [name]: column }))}
                />
              </Suspense>
            </div>
          )}
        </fieldset>
        <Field
          label={w.segments}
          hint={w.segmentsHint}
          isOptional
          error={sent && unknown.length > 0 && w.segmentsUnknown(unknown.join(', '), sent.columns.join(', '))}
        >
          <Input value={segments} onChange={(event) => setSegments(event.target.value)} />
        </Field>
        <Field label={w.referenceDate} isOptional>
          <Input type="date" className="!w-44" value={day} onChange={(event) => setDay(event.target.value)} />
        </Field>
        {create.error && <Refusal error={create.error} />}
        <div className="flex flex-wrap gap-2">
          <Button
            submits
            kind="primary"
            isBusy={create.isPending}
            disabled={chosen === '' || !version || isRefused || unknown.length > 0}
          >
            {w.start}
          </Button>
          <CodeButton
            request={{
              method: 'POST',
              path: '/v1/api/evaluations',
              body,
              typescript: `lastro.evaluations.create(${JSON.stringify(body)})`,
            }}
          />
        </div>
      </form>
      {/* Outside of the form: a submit in a dialog rises through it to where it is rendered. */}
      <LeaveGuard isOn={source === 'upload' && uploads.isBusy} />
    </>
  );
}

/** The columns of the table whose rows a version is asked about; undefined until they are known. */
function useTableColumns(modelId: string, versionId: string | undefined): readonly string[] | undefined {
  const { can } = useSession();
  const version = useVersion(modelId, versionId);
  const contract = useActiveContract(can('view_models'));
  const document = useContractDocument(contract.data?.document);
  const entity = version.data?.inputs.find(({ source }) => source !== undefined)?.source?.table;
  const table = document.data?.tables.find(({ name }) => name === entity);
  return table?.columns.flatMap(({ name, aliases }) => [name, ...aliases]);
}
