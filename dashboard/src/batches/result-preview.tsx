import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { BandFilter, type BandName } from '../kit/bands.tsx';
import { Button } from '../kit/button.tsx';
import { Select } from '../kit/field.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Refusal, Skeleton } from '../kit/states.tsx';
import { textOf } from '../kit/text-of.ts';
import { isOfUnknown } from '../predictions/known.ts';
import { type Head, headOfText } from '../uploads/head-of-file.ts';
import { onThisOrigin } from '../uploads/put-file.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { arrangeColumns } from './arrange-columns.ts';
import { type Batch, fileName } from './batch.ts';
import { previewWords } from './preview-words.ts';
import { type Order, RowsPreview } from './rows-preview.tsx';
import type { Declared } from './say-cell.ts';
import { useResultRows } from './use-result-rows.ts';
import { batchWords } from './words.ts';

const previewBytes = 128 << 10;
const previewRows = 50;
/** Of so many versions the preview asks what they declare; rows may name theirs. */
const versionsMax = 20;

type Shown = Pick<Head, 'columns' | 'rows'>;
/** Which rows are shown: all in the order of the file where nothing is asked. */
type Asked = {
  readonly order: Order | null;
  readonly band: BandName | undefined;
  readonly warning: string;
  /** Whether those alone of whom nothing is known. */
  readonly isUnknown: boolean;
};
const askedNothing: Asked = { order: null, band: undefined, warning: '', isUnknown: false };

/**
 * Rows of a file of a result. What is ordered, or chosen by band or warning, is of the whole file, which the service
 * looks through; the first rows, of a file of any size, are its first bytes.
 */
export function ResultPreview({
  batch,
  fileId,
  path,
  address,
}: {
  readonly batch: Batch;
  /** That of the input. */
  readonly fileId: string;
  readonly path: string;
  readonly address: string;
}) {
  const w = useWords(previewWords);
  const { rowCodes } = useWords(batchWords);
  const c = useWords(common);
  const format = useFormat();
  const client = useClient();
  const textFormat = /\.csv$/i.test(path) ? 'csv' : /\.(jsonl|ndjson)$/i.test(path) ? 'jsonl' : null;
  const [asked, setAsked] = useState(askedNothing);
  const [isMore, setMore] = useState(false);
  const ask = (change: Partial<Asked>) => setAsked((before) => ({ ...before, ...change }));
  const { order, band, warning, isUnknown } = asked;
  const isListed = isMore || textFormat === null || order !== null || band !== undefined || warning !== '' || isUnknown;
  const first = useData(['batches', 'preview', batch.id, path], (signal) => firstRowsOf(address, textFormat!, signal), {
    isOn: textFormat !== null,
  });
  const begun = first.data ?? null;
  const counted = useData(['batches', 'result-counts', batch.id, fileId], (signal) =>
    client.batches.listResultRows(batch.id, { file_id: fileId, limit: 1 }, { signal }),
  );
  const columns = counted.data?.columns ?? begun?.columns ?? [];
  const hasBands = columns.includes('risk_band');
  const list = useResultRows(
    batch.id,
    fileId,
    {
      ...(order && { order_by: order.by, order: order.isAscending ? ('ascending' as const) : ('descending' as const) }),
      // The band of somebody unknown is no judgement: such rows are counted, and shown, for themselves.
      ...(band && { risk_band: band, ...(columns.includes('data_coverage') && { known: true }) }),
      ...(warning && { warning }),
      ...(isUnknown && { known: false }),
    },
    isListed,
  );
  const page = list.first;
  const counts = useMemo(
    () => counted.data && new Map(counted.data.bands.map(({ band: name, rows, unknown }) => [name, rows - unknown])),
    [counted.data],
  );
  const unknown = counted.data?.bands.reduce((sum, one) => sum + one.unknown, 0) ?? 0;
  const codes = columns.includes('warnings') ? codesOfFile(batch, fileId, rowCodes) : [];
  // The first rows stay in sight while others are looked for.
  const shown: Shown | null =
    isListed && page
      ? { columns: page.columns, rows: list.rows }
      : begun && { ...begun, rows: begun.rows.slice(0, previewRows) };
  const isLookedFor = isListed && (list.isPending || list.isPlaceholderData);
  const error = isListed ? list.error : first.error;
  const total = isListed ? page?.rows : undefined;
  return (
    <>
      {hasBands && (
        <div className="mb-3">
          <BandFilter counts={counts} chosen={band} onChoose={(chosen) => ask({ band: chosen, isUnknown: false })} />
        </div>
      )}
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 empty:hidden">
        {unknown > 0 && (
          <Button
            size="small"
            aria-pressed={isUnknown}
            kind={isUnknown ? 'primary' : 'secondary'}
            onClick={() => ask({ isUnknown: !isUnknown, band: undefined })}
          >
            {w.inNoBand(format.integer(unknown))}
          </Button>
        )}
        {codes.length > 0 && (
          <Select
            aria-label={w.rowsShown}
            className="!w-auto max-w-full"
            value={warning}
            options={[
              { value: '', label: w.allRows },
              { value: 'any', label: w.anyWarning },
              ...codes.map((code) => ({ value: code, label: rowCodes[code] })),
            ]}
            onValue={(chosen) => ask({ warning: chosen })}
          />
        )}
        {total !== undefined && shown && !isLookedFor && (
          <p role="status" className="text-ink2 text-meta">
            {w.shownOf(format.integer(shown.rows.length), format.integer(total))}
          </p>
        )}
      </div>
      {error ? (
        <Refusal error={error} />
      ) : shown === null ? (
        (isListed ? list.isPending : first.isPending) && <Skeleton />
      ) : (
        shown.rows.length > 0 && (
          <div className={isLookedFor ? 'opacity-60' : ''}>
            <Rows
              head={shown}
              hasOwn={batch.include.includes('input_columns')}
              label={w.rowsOf(fileName(path))}
              order={order}
              onOrder={(next) => ask({ order: next })}
            />
          </div>
        )
      )}
      {isListed ? (
        <MoreButton list={list} />
      ) : (
        begun &&
        (!begun.isWhole || begun.rows.length > previewRows) && (
          <Button className="mt-3" onClick={() => setMore(true)}>
            {c.loadMore}
          </Button>
        )
      )}
    </>
  );
}

/** The warnings that rows of a file have, of those which stand in their column. */
function codesOfFile<C extends string>(batch: Batch, fileId: string, words: Readonly<Record<C, string>>): readonly C[] {
  const told = batch.warnings.filter(({ file_id }) => file_id === fileId).map(({ code }) => code);
  return [...new Set(told)].filter((code): code is C => Object.hasOwn(words, code));
}

function Rows({
  head: whole,
  hasOwn,
  label,
  order,
  onOrder,
}: {
  readonly head: Shown;
  /** Whether columns of the file that was sent stand behind those of the answer. */
  readonly hasOwn: boolean;
  readonly label: string;
  readonly order: Order | null;
  onOrder(order: Order | null): void;
}) {
  const head = useMemo(() => arrangeColumns(whole, hasOwn), [whole, hasOwn]);
  const { columns, rows, own } = head;
  const w = useWords(previewWords);
  const { rowCodes } = useWords(batchWords);
  const format = useFormat();
  const declaredOf = useDeclared(head);
  const at = columns.lastIndexOf('warnings');
  const wordOf = (code: string) => (rowCodes as Readonly<Record<string, string>>)[code] ?? code;
  const said = at < 0 ? rows : rows.map((row) => row.with(at, codesOf(row[at]).map(wordOf).join(' · ')));
  const unknown = rows.filter((row) => isOfUnknown({ data_coverage: row[columns.indexOf('data_coverage')] })).length;
  return (
    <>
      {unknown > 0 && (
        <p role="note" className="mb-2 max-w-4xl rounded-[6px] bg-warn-soft px-2.5 py-1.5">
          {w.notAssessed(format.integer(unknown), format.integer(rows.length))}
        </p>
      )}
      <RowsPreview {...{ label, columns, own, declaredOf, order, onOrder }} rows={said} />
    </>
  );
}

/** Returns what the version of a row declares of its outputs; undefined while, or where, that is not known. */
function useDeclared({ columns, rows }: Shown): (row: readonly unknown[]) => Declared | undefined {
  const client = useClient();
  const { can } = useSession();
  const [model, version] = [columns.indexOf('model_id'), columns.indexOf('version_id')];
  const versions = [...new Map(rows.map((row) => [textOf(row[version]), textOf(row[model])]))]
    .filter(([versionId, modelId]) => versionId !== '' && modelId !== '')
    .slice(0, versionsMax);
  const { data } = useData(
    ['models', 'outputs', versions],
    async (signal) => {
      const declared = versions.map(async ([versionId, modelId]): Promise<[string, Declared]> => {
        const { outputs } = await client.models.versions.get(modelId, versionId, { signal });
        return [versionId, new Map(outputs.map((output) => [output.name, output]))];
      });
      return new Map(await Promise.all(declared));
    },
    { isOn: can('view_models') && versions.length > 0 },
  );
  return (row) => data?.get(textOf(row[version]));
}

/** The codes of a row, which stand with semicolons in CSV and as a list in JSON otherwise. */
function codesOf(value: unknown): readonly string[] {
  const text = textOf(value);
  return text.split(/[;,[\]"]+/).filter((code) => code !== '');
}

async function firstRowsOf(address: string, format: Head['format'], signal: AbortSignal): Promise<Head | null> {
  const headers = { range: `bytes=0-${previewBytes - 1}` };
  const response = await fetch(onThisOrigin(address), { headers, signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const text = await response.text();
  const total = Number(response.headers.get('content-range')?.split('/').at(-1) ?? 0);
  return headOfText(text, format, response.status === 200 || total <= previewBytes);
}
