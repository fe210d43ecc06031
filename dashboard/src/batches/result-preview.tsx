import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Select } from '../kit/field.tsx';
import { Refusal, Skeleton } from '../kit/states.tsx';
import { textOf } from '../kit/text-of.ts';
import { isOfUnknown } from '../predictions/known.ts';
import { type Head, headOfText } from '../uploads/head-of-file.ts';
import { onThisOrigin } from '../uploads/put-file.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { fileName } from './batch.ts';
import { RowsPreview } from './rows-preview.tsx';
import type { Declared } from './say-cell.ts';
import { batchWords } from './words.ts';

const previewBytes = 128 << 10;
const previewRows = 20;
/** Of so many versions the preview asks what they declare; rows may name theirs. */
const versionsMax = 20;

/** The first rows of a file of a result; where they say what they are warned of, all or those of one warning. */
export function ResultPreview({
  batchId,
  path,
  address,
}: {
  readonly batchId: string;
  readonly path: string;
  readonly address: string;
}) {
  const w = useWords(batchWords);
  const format = /\.csv$/i.test(path) ? 'csv' : /\.(jsonl|ndjson)$/i.test(path) ? 'jsonl' : null;
  const { data, error } = useData(
    ['batches', 'preview', batchId, path],
    (signal) => firstRowsOf(address, format!, signal),
    { isOn: format !== null },
  );
  if (format === null) return <p className="text-ink2">{w.noPreview}</p>;
  if (error) return <Refusal error={error} />;
  if (data === undefined) return <Skeleton />;
  return data && <Rows head={data} label={w.preview(fileName(path))} />;
}

/** What callers may bring for themselves: without a value it takes the place of what is looked for. */
const brought: readonly string[] = ['correlation_id', 'reference_id'];

/** A head without the columns in which nothing was brought. */
function withoutEmpty({ columns, rows, ...rest }: Head): Head {
  const isShown = (at: number) => !brought.includes(columns[at]) || rows.some((row) => textOf(row[at]) !== '');
  const places = [...columns.keys()].filter(isShown);
  return { ...rest, columns: places.map((at) => columns[at]), rows: rows.map((row) => places.map((at) => row[at])) };
}

function Rows({ head: whole, label }: { readonly head: Head; readonly label: string }) {
  const head = useMemo(() => withoutEmpty(whole), [whole]);
  const { columns, rows } = head;
  const w = useWords(batchWords);
  const format = useFormat();
  const declaredOf = useDeclared(head);
  const [asked, setAsked] = useState('');
  const at = columns.lastIndexOf('warnings');
  const said = at < 0 ? [] : rows.map((row) => codesOf(row[at]));
  const codes = [...new Set(said.flat())];
  const shared = { label, columns, declaredOf };
  const unknown = rows.filter((row) => isOfUnknown({ data_coverage: row[columns.indexOf('data_coverage')] })).length;
  const notAssessed = unknown > 0 && (
    <p role="note" className="mb-2 max-w-4xl rounded-[6px] bg-warn-soft px-2.5 py-1.5">
      {w.notAssessed(format.integer(unknown), format.integer(rows.length))}
    </p>
  );
  if (codes.length === 0)
    return (
      <>
        {notAssessed}
        <RowsPreview {...shared} rows={rows.slice(0, previewRows)} />
      </>
    );
  const wordOf = (code: string) => (w.rowCodes as Readonly<Record<string, string>>)[code] ?? code;
  const kept = rows
    .map((row, index) => row.with(at, said[index].map(wordOf).join(' · ')))
    .filter((_, index) => asked === '' || (asked === 'any' ? said[index].length > 0 : said[index].includes(asked)));
  const count = format.integer(rows.length);
  return (
    <>
      {notAssessed}
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Select
          aria-label={w.previewOf}
          className="!w-auto max-w-full"
          value={asked}
          options={[
            { value: '', label: w.allRows },
            { value: 'any', label: w.anyWarning },
            ...codes.map((code) => ({ value: code, label: wordOf(code) })),
          ]}
          onValue={setAsked}
        />
        {asked !== '' && (
          <p role="status" className="text-ink2 text-meta">
            {kept.length === 0
              ? w.noneAmong(count)
              : w.firstAmong(format.integer(Math.min(kept.length, previewRows)), count)}
          </p>
        )}
      </div>
      {kept.length > 0 && <RowsPreview {...shared} rows={kept.slice(0, previewRows)} />}
    </>
  );
}

/** Returns what the version of a row declares of its outputs; undefined while, or where, that is not known. */
function useDeclared({ columns, rows }: Head): (row: readonly unknown[]) => Declared | undefined {
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
