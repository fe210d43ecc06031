import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { type CsvDialect, csvOf } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { Section } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Detail, useMistakeWords } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Batch, type BatchError, fileName, isOpen } from './batch.ts';
import { readErrors, rowsShownMax } from './failed-rows.ts';
import { ListedRows } from './listed-rows.tsx';
import { batchWords } from './words.ts';

const openEveryMs = 5_000;

/** Why rows have no answer, with the rows. */
export function BatchErrors({ batch }: { readonly batch: Batch }) {
  const w = useWords(batchWords);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const isReadable = can('download_results') && batch.result_deleted_at === null;
  const found = useData(
    ['batches', 'errors', batch.id, isOpen(batch)],
    (signal) => readErrors(client, batch.id, { most: rowsShownMax, signal }),
    { isOn: isReadable, everyMs: () => (isOpen(batch) ? openEveryMs : false) },
  );
  const columns = useColumns();
  const save = useChange(async (dialect: CsvDialect) => {
    const { rows } = await readErrors(client, batch.id);
    saveAs(`${batch.id}-errors.csv`, csvOf(columns, rows, dialect, undefined));
  });
  const count = format.integer(batch.progress.rows.failed);
  if (batch.result_deleted_at !== null) return null;
  return (
    <Section
      title={w.errors}
      description={w.errorsBody(count)}
      actions={
        found.data && (
          <CsvButton
            label={w.downloadErrors}
            icon={<Download size={14} />}
            isBusy={save.isPending}
            onSave={(dialect) => save.mutate(dialect)}
          />
        )
      }
    >
      <ListedRows
        found={found}
        lead={(errors) => <Reasons errors={errors} />}
        label={w.errors}
        columns={columns}
        keyOf={({ file_id, row, column, code, message }) => `${file_id} ${row} ${column} ${code} ${message}`}
        height="max-h-96"
      />
    </Section>
  );
}

/** How many rows each reason has, the most first. */
function Reasons({ errors }: { readonly errors: readonly BatchError[] }) {
  const w = useWords(batchWords);
  const format = useFormat();
  const reasons = useMemo(() => {
    const counts = new Map<string, { code: string; column: string | null; rows: number }>();
    for (const { code, column } of errors) {
      const key = `${code} ${column ?? ''}`;
      const known = counts.get(key);
      if (known) known.rows++;
      else counts.set(key, { code, column, rows: 1 });
    }
    return [...counts.values()].sort((one, other) => other.rows - one.rows);
  }, [errors]);
  return (
    <ul className="flex flex-col divide-y divide-line rounded-[8px] border border-line bg-panel">
      {reasons.map(({ code, column, rows }) => (
        <li key={`${code} ${column}`} className="grid grid-cols-[minmax(0,1fr)_88px_64px] items-center gap-3 px-3 py-2">
          <span className="min-w-0 break-words">
            {saidOf(code, w)} {column && <code className="inline-block font-mono text-ink2 text-meta">{column}</code>}
          </span>
          <span className="h-2 rounded-[2px] bg-sunken" aria-hidden="true">
            <span className="block h-2 rounded-[2px] bg-bad" style={{ width: `${(100 * rows) / errors.length}%` }} />
          </span>
          <span className="text-right font-medium">{format.integer(rows)}</span>
        </li>
      ))}
    </ul>
  );
}

function saidOf(code: string, w: (typeof batchWords)['en']): string {
  return (w.codes as Readonly<Record<string, string>>)[code] ?? code.replaceAll('_', ' ');
}

function useColumns(): readonly Column<BatchError>[] {
  const mistakes = useMistakeWords(true);
  const w = useWords(batchWords);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'row',
        head: w.row,
        width: 'minmax(76px, 0.6fr)',
        isRight: true,
        cell: ({ row }) => (row === null ? <span className="text-ink3">{w.wholeFile}</span> : format.integer(row)),
        text: ({ row }) => row,
      },
      {
        key: 'column',
        head: w.column,
        width: 'minmax(84px, 1fr)',
        isMinor: true,
        cell: ({ column }) => <code className="font-mono text-meta">{column}</code>,
        text: ({ column }) => column,
      },
      {
        key: 'code',
        head: w.reason,
        width: 'minmax(150px, 1.4fr)',
        isMinor: true,
        cell: ({ code }) => saidOf(code, w),
        text: ({ code }) => code,
        sheetText: ({ code }) => saidOf(code, w),
      },
      {
        key: 'message',
        head: w.message,
        width: 'minmax(190px, 2.5fr)',
        cell: ({ message, because }) => (
          <span title={message}>
            <Detail because={because}>{message}</Detail>
          </span>
        ),
        below: ({ column }) => column && <code className="font-mono">{column}</code>,
        text: ({ message }) => message,
        sheetText: ({ message, because }) => (because && mistakes?.sayMistake(message, because)) ?? message,
      },
      {
        key: 'file',
        head: w.file,
        width: 'minmax(100px, 1fr)',
        isMinor: true,
        cell: ({ file }) => <bdi title={file}>{fileName(file)}</bdi>,
        text: ({ file }) => file,
      },
    ],
    [w, format, mistakes],
  );
}
