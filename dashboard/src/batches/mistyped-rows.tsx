import { Eye } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { withoutPerson } from '../kit/documents.ts';
import { Section } from '../kit/page.tsx';
import type { Column } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Batch, type BatchRowWarning, fileName } from './batch.ts';
import { correctionWords } from './correction-words.ts';
import { mistypedRows, readMistyped, rowsShownMax } from './failed-rows.ts';
import { ListedRows } from './listed-rows.tsx';
import { placeOfColumn, readRows, type SourceRows } from './source-rows.ts';
import { batchWords } from './words.ts';

/** The rows that were scored though their document has wrong check digits. */
export function MistypedRows({ batch }: { readonly batch: Batch }) {
  const w = useWords(correctionWords);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const [sources, setSources] = useState<readonly SourceRows[]>([]);
  const found = useData(
    ['batches', 'mistyped', batch.id],
    (signal) => readMistyped(client, batch.id, { most: rowsShownMax, signal }),
    { isOn: can('download_results') },
  );
  const rows = found.data?.rows ?? [];
  const columns = useColumns(sources);
  const show = useChange(async () => {
    const wanted = Map.groupBy(rows, ({ file_id }) => file_id);
    const read: SourceRows[] = [];
    for (const file of batch.files) {
      const own = wanted.get(file.file_id);
      if (own) read.push(await readRows(client, file, new Set(own.map(({ row }) => row)), () => {}));
    }
    setSources(read);
  });
  return (
    <Section
      title={w.mistyped}
      description={w.mistypedBody(format.integer(mistypedRows(batch)))}
      actions={
        can('download_files') &&
        rows.length > 0 &&
        sources.length === 0 && (
          <Button icon={<Eye size={14} />} isBusy={show.isPending} onClick={() => show.mutate(undefined)}>
            {w.showValues}
          </Button>
        )
      }
    >
      <ListedRows
        found={found}
        label={w.mistyped}
        columns={columns}
        keyOf={({ file_id, row, column }) => `${file_id} ${row} ${column}`}
        height="max-h-72"
      />
    </Section>
  );
}

function useColumns(sources: readonly SourceRows[]): readonly Column<BatchRowWarning>[] {
  const w = useWords(batchWords);
  const { value } = useWords(correctionWords);
  const format = useFormat();
  return useMemo(() => {
    const textIn = ({ file_id, row, column }: BatchRowWarning): string => {
      const source = sources.find(({ fileId }) => fileId === file_id);
      return source?.rows.get(row)?.[placeOfColumn(source.columns, column)] ?? '';
    };
    return [
      {
        key: 'row',
        head: w.row,
        width: 'minmax(76px, 0.6fr)',
        isRight: true,
        cell: ({ row }) => format.integer(row),
      },
      {
        key: 'column',
        head: w.column,
        width: 'minmax(120px, 1fr)',
        cell: ({ column }) => <code className="font-mono text-meta">{column}</code>,
      },
      ...(sources.length === 0
        ? []
        : [
            {
              key: 'value',
              head: value,
              width: 'minmax(150px, 1.4fr)',
              cell: (one: BatchRowWarning) => <span className="font-mono text-meta">{withoutPerson(textIn(one))}</span>,
            },
          ]),
      {
        key: 'file',
        head: w.file,
        width: 'minmax(100px, 1fr)',
        isMinor: true,
        cell: ({ file }) => <bdi title={file}>{fileName(file)}</bdi>,
      },
    ];
  }, [w, value, format, sources]);
}
