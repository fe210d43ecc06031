import { ChevronDown, Download, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button, buttonClass, Spinner } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Menu } from '../kit/menu.tsx';
import { Section } from '../kit/page.tsx';
import { followDownload, saveAs } from '../kit/save-file.ts';
import { Refusal, Skeleton, useRolesWith } from '../kit/states.tsx';
import { importPart } from '../shell/new-build.ts';
import { onThisOrigin } from '../uploads/put-file.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import type { Language } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { type Batch, fileName } from './batch.ts';
import { ResultLanguage } from './result-language.tsx';
import { resultWords } from './result-words.ts';
import { sheetLanguages, useSheetForms } from './use-sheet-forms.ts';

/** Loaded where there is a result, once it has ended. */
const ResultPreview = lazy(async () => ({
  default: (await importPart(() => import('./result-preview.tsx'))).ResultPreview,
}));

/** What came out of a batch that has ended: its first rows, its files, and how they are deleted. */
export function BatchResult({ batch }: { readonly batch: Batch }) {
  const w = useWords(resultWords);
  const c = useWords(common);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const [chosen, setChosen] = useState(0);
  const roles = useRolesWith('download_results');
  const hasResult = batch.result_deleted_at === null && batch.files.some(({ output_path }) => output_path !== null);
  const isReadable = hasResult && can('download_results');
  const result = useData(['batches', 'result', batch.id], (signal) => client.batches.getResult(batch.id, { signal }), {
    isOn: isReadable,
  });
  // Not the result itself, which is gone.
  const deletion = useChange(() => client.batches.deleteResult(batch.id), {
    changes: [
      ['batches', 'one'],
      ['batches', 'list'],
    ],
    isQuiet: true,
  });
  /** Addresses do not last long: each download asks for its own. */
  const download = useChange(async (position: number | null) => {
    const { download_url, files } = await client.batches.getResult(batch.id);
    followDownload(onThisOrigin(position === null ? download_url : files[position].download_url));
  });
  const formsOf = useSheetForms();
  /** A file as people read it in a spreadsheet, which is made here of what the service has. */
  const convert = useChange(async ({ position, language }: { position: number; language: Language }) => {
    const { file_id, path } = files[position];
    const { resultSheet } = await importPart(() => import('./result-sheet.ts'));
    const sheet = await resultSheet(client, batch, file_id, formsOf(batch, language));
    saveAs(`${fileName(path).replace(/\.csv$/i, '')}-${w.sheetName}.csv`, sheet);
  });
  if (batch.result_deleted_at !== null)
    return (
      <Section title={w.result}>
        <p className="text-ink2">{w.resultDeleted(format.relative(batch.result_deleted_at))}</p>
      </Section>
    );
  if (!hasResult)
    return (
      <Section title={w.result}>
        <p className="text-ink2">{w.noResult}</p>
      </Section>
    );
  if (!isReadable)
    return (
      <Section title={w.result}>
        <p className="text-ink2">{c.noPermissionAction(roles)}</p>
      </Section>
    );
  const downloadOf = (path: string, at: number, size: 'normal' | 'small') => {
    const shared = { size, icon: <Download size={size === 'small' ? 12 : 14} /> };
    const kind = size === 'small' ? 'secondary' : 'primary';
    if (!/\.csv$/i.test(path))
      return (
        <Button {...shared} kind={kind} aria-label={w.downloadFile(path)} onClick={() => download.mutate(at)}>
          {c.download}
        </Button>
      );
    const isBusy = convert.isPending && convert.variables?.position === at;
    return (
      <Menu
        label={w.downloadFile(path)}
        align="end"
        disabled={isBusy}
        triggerClass={buttonClass(kind, size)}
        trigger={
          <>
            {isBusy ? <Spinner /> : shared.icon}
            {c.download}
            <ChevronDown size={12} aria-hidden="true" />
          </>
        }
        items={[
          ...sheetLanguages(format.language).map((language) => ({
            ...{ key: language, label: w.asSheet[language] },
            onChoose: () => convert.mutate({ position: at, language }),
          })),
          { key: 'file', label: w.asScored, onChoose: () => download.mutate(at) },
        ]}
      />
    );
  };
  const files = result.data?.files ?? [];
  const shown = files[chosen] ?? files[0];
  return (
    <Section
      title={w.result}
      description={w.resultBody}
      actions={
        <>
          {can('delete_results') && (
            <Button kind="danger" icon={<Trash2 size={14} />} onClick={() => setDeleting(true)}>
              {w.deleteResult}
            </Button>
          )}
          {files.length > 1 && (
            <Button kind="primary" icon={<Download size={14} />} onClick={() => download.mutate(null)}>
              {w.downloadZip}
            </Button>
          )}
          {files.length === 1 && downloadOf(files[0].path, 0, 'normal')}
        </>
      }
    >
      {result.isError && <Refusal error={result.error} />}
      <ResultLanguage batch={batch} />
      {files.length > 1 && (
        <ul className="mb-3 divide-y divide-line rounded-[8px] border border-line bg-panel px-3">
          {files.map(({ file_id, path, rows, bytes }, at) => (
            <li key={file_id} className="flex flex-wrap items-center gap-3 py-1.5">
              <button
                type="button"
                aria-pressed={at === chosen}
                onClick={() => setChosen(at)}
                className={`min-w-0 flex-1 truncate py-0.5 text-left hover:underline ${at === chosen ? 'font-medium' : 'text-ink2'}`}
              >
                <bdi>{path}</bdi>
              </button>
              <span className="text-ink3 text-meta">
                {c.rows(format.integer(rows))} · {format.bytes(bytes)}
              </span>
              {downloadOf(path, at, 'small')}
            </li>
          ))}
        </ul>
      )}
      {shown ? (
        <Suspense fallback={<Skeleton />}>
          <ResultPreview
            key={shown.file_id}
            batch={batch}
            fileId={shown.file_id}
            path={shown.path}
            address={shown.download_url}
          />
        </Suspense>
      ) : (
        result.isPending && <Skeleton />
      )}
      <Confirm
        title={w.deleteResult}
        body={w.deleteBody}
        action={w.deleteResult}
        typed={fileName(batch.files[0].path)}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => deletion.mutateAsync(undefined)}
      />
    </Section>
  );
}
