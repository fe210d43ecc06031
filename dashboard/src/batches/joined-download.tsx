import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { buttonClass, Spinner } from '../kit/button.tsx';
import { Menu } from '../kit/menu.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Refusal } from '../kit/states.tsx';
import { type Language, useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { type Batch, fileName, isOpen } from './batch.ts';
import { correctionWords } from './correction-words.ts';
import { isCsv, joinBatch } from './join-batch.ts';
import { resultWords } from './result-words.ts';
import { asScored, asSheet } from './sheet-form.ts';
import { sheetLanguages, useSheetForms } from './use-sheet-forms.ts';

/** The result of a batch and those of its corrected rows as one file, which is made here. */
export function JoinedDownload({
  batch,
  isFirst,
}: {
  readonly batch: Batch;
  /** Whether it is the batch of the page, and not the one that this corrects. */
  readonly isFirst: boolean;
}) {
  const w = useWords(correctionWords);
  const b = useWords(resultWords);
  const language = useLanguage();
  const client = useClient();
  const { can } = useSession();
  const formsOf = useSheetForms();
  const [isRefused, setRefused] = useState(false);
  const join = useChange(async ({ file, sheet }: { file: Batch['files'][number]; sheet: Language | null }) => {
    setRefused(false);
    const joined = await joinBatch(client, batch, file);
    if (joined === null) return setRefused(true);
    const name = `${fileName(file.output_path!).replace(/\.csv$/i, '')}-${w.joinedName}`;
    if (sheet === null) return saveAs(`${name}.csv`, await asScored(joined, batch.csv_dialect));
    saveAs(`${name}-${b.sheetName}.csv`, await asSheet(client, joined, formsOf(batch, sheet)));
  });
  const files = batch.files.filter(({ output_path: path }) => path !== null && isCsv(path));
  const isCorrected = batch.corrected_by.some(({ status, rows }) => status === 'succeeded' && rows.succeeded > 0);
  const said = <p className="text-ink2">{isFirst ? w.inFirst : w.inCorrection}</p>;
  if (!isCorrected || isOpen(batch) || batch.result_deleted_at !== null || !can('download_results')) return said;
  return (
    <div className="mt-1 flex flex-col items-start gap-2">
      {said}
      {files.length > 0 && <p className="text-ink2">{w.joinedBody}</p>}
      <div className="flex max-w-full flex-wrap gap-2">
        {files.map((file) => {
          const isBusy = join.isPending && join.variables?.file.file_id === file.file_id;
          const label = files.length > 1 ? w.joinedOf(fileName(file.path)) : w.joined;
          return (
            <Menu
              key={file.file_id}
              disabled={isBusy}
              triggerClass={`${buttonClass('primary')} max-w-full`}
              trigger={
                <>
                  {isBusy ? <Spinner /> : <Download size={14} />}
                  <span className="min-w-0 truncate">{label}</span>
                  <ChevronDown size={12} aria-hidden="true" />
                </>
              }
              items={[
                ...sheetLanguages(language).map((sheet) => ({
                  ...{ key: sheet, label: b.asSheet[sheet] },
                  onChoose: () => join.mutate({ file, sheet }),
                })),
                { key: 'file', label: b.asScored, onChoose: () => join.mutate({ file, sheet: null }) },
              ]}
            />
          );
        })}
      </div>
      {isRefused && <Refusal error={w.notJoinable} />}
    </div>
  );
}
