import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData, useList } from '../api/use-data.ts';
import { useContractTables } from '../data/use-contracts.ts';
import { entityTables } from '../entities/entity-tables.ts';
import { Dialog } from '../kit/dialog.tsx';
import { KeyText } from '../kit/document.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { lineageWords } from './lineage-words.ts';

type Feature = Schemas['LineageFeature'];
/** `at`: its place in the list. */
type Row = Schemas['LineageRow'] & { readonly at: number };
type Factor = Schemas['LineageFactor'];

/** Rows that are fetched at a time. */
const rowsAtOnce = 100;

/** From which rows of which files the reasons of an answer were computed, one reason at a time. */
export function Lineage({ id, onClose }: { readonly id: string; onClose(): void }) {
  const w = useWords(lineageWords);
  const client = useClient();
  const { language } = useFormat();
  const { data, error, refetch } = useData(['predictions', 'lineage', id, language], (signal) =>
    client.predictions.getLineage(id, { language }, { signal }),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const code = chosen ?? data?.factors[0]?.code;
  return (
    <Dialog title={w.title} description={w.body} isOpen onClose={onClose} width="max-w-5xl">
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton />
      ) : code === undefined ? (
        <p className="text-ink2">{w.none}</p>
      ) : (
        <div className="flex flex-col gap-5">
          <Factors factors={data.factors} chosen={code} onChosen={setChosen} />
          {data.are_values_hidden && <p className="text-ink3 text-meta">{w.hiddenValues}</p>}
          <Features key={code} id={id} code={code} />
        </div>
      )}
    </Dialog>
  );
}

function Factors({
  factors,
  chosen,
  onChosen,
}: {
  readonly factors: readonly Factor[];
  readonly chosen: string;
  onChosen(code: string): void;
}) {
  const w = useWords(lineageWords);
  const format = useFormat();
  // Several reasons may have one code, and are told together.
  const byCode = [...Map.groupBy(factors, ({ code }) => code)];
  return (
    <ul aria-label={w.factors} className="flex flex-col divide-y divide-line rounded-[8px] border border-line">
      {byCode.map(([code, own]) => (
        <li key={code}>
          <button
            type="button"
            aria-pressed={code === chosen}
            onClick={() => onChosen(code)}
            className={`w-full px-3 py-2 text-left hover:bg-sunken ${code === chosen ? 'bg-sunken font-medium' : ''}`}
          >
            <span className="block break-words">{own.map(({ text }) => text).join(' · ')}</span>
            <span className="block font-normal text-ink3 text-meta">
              {w.rowsOf(format.integer(sumOf(own, 'rows')), format.integer(sumOf(own, 'features')))}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function sumOf(factors: readonly Factor[], key: 'rows' | 'features'): number {
  return factors.reduce((sum, factor) => sum + factor[key], 0);
}

/** Each page has all features, with those of their rows that are on it. */
function Features({ id, code }: { readonly id: string; readonly code: string }) {
  const w = useWords(lineageWords);
  const client = useClient();
  const { language } = useFormat();
  const list = useList(['predictions', 'lineage', id, language, code], (cursor, signal) =>
    client.predictions.getLineage(
      id,
      { factor: code, language, limit: rowsAtOnce, ...(cursor !== undefined && { cursor }) },
      { signal },
    ),
  );
  if (list.isError) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (list.isPending) return <Skeleton />;
  const pages = list.data.pages.map(({ data }) => data);
  if (pages[0].length === 0) return <p className="text-ink2">{w.noneBody}</p>;
  return (
    <div className="flex flex-col gap-6">
      {pages[0].map((feature, at) => (
        <FeatureRows key={at} feature={feature} rows={pages.flatMap((page) => page[at].rows)} />
      ))}
      <MoreButton list={list} />
    </div>
  );
}

function FeatureRows({ feature, rows: given }: { readonly feature: Feature; readonly rows: Feature['rows'] }) {
  const w = useWords(lineageWords);
  const format = useFormat();
  const columns = useColumns();
  const rows = given.map((row, at): Row => ({ ...row, at }));
  const { description, value, rows_count: count, whole, subjects, is_truncated: isTruncated } = feature;
  const isVector = readOf(feature) === 'embedding';
  const counted = count === 0 ? w.noRows : count === 1 ? w.fromRow : w.fromRows(format.integer(count));
  return (
    <section>
      <h3 className="break-words font-semibold">{description}</h3>
      <p className="text-ink2">
        {isVector
          ? w.vector
          : `${w.value}: ${value === null ? w.missing : format.digits(Number(value.toPrecision(6)))} · ${counted}`}
      </p>
      {subjects.length > 1 && (
        <p className="text-ink3 text-meta">
          {subjects.some(({ weight }) => weight < 0) ? w.apart : w.severalOf(format.integer(subjects.length))}
        </p>
      )}
      {whole && (
        <p className="text-ink3 text-meta">
          {whole.from && whole.until
            ? w.whole(
                format.integer(whole.rows),
                whole.table,
                sayTime(whole.from, format),
                sayTime(whole.until, format),
              )
            : w.wholeUndated(format.integer(whole.rows), whole.table)}
        </p>
      )}
      {isTruncated && <p className="text-ink3 text-meta">{w.truncated(format.integer(rows.length))}</p>}
      {rows.length > 0 && (
        <div className="mt-2">
          <Table label={description} columns={columns} rows={rows} keyOf={({ at }) => `${at}`} height="max-h-80" />
        </div>
      )}
    </section>
  );
}

function readOf({ path }: Feature): string | undefined {
  return (path as { readonly read?: { readonly kind?: string } }).read?.kind;
}

/** A day, or what a clock without a zone shows. */
function sayTime(text: string, format: Format): string {
  return text.includes('T') ? format.clock(text) : format.day(text);
}

function useColumns(): readonly Column<Row>[] {
  const w = useWords(lineageWords);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'date',
        head: w.date,
        width: '120px',
        cell: ({ date }) => (date === null ? '—' : sayTime(date, format)),
      },
      { key: 'row', head: w.row, width: 'minmax(160px, 1.4fr)', cell: (row) => <Place of={row} /> },
      {
        key: 'column',
        head: w.column,
        width: 'minmax(150px, 1.4fr)',
        cell: ({ column, value, role, held_by: holder }) => (
          <>
            {column === null ? (
              <span className="text-ink3">{w.counted}</span>
            ) : (
              <span className="font-mono text-meta">{column}</span>
            )}
            {value !== null && `: ${sayValue(value, format)}`}
            {holder && (
              <>
                {' · '}
                <Place of={holder} />
              </>
            )}
            {w.roles[role as keyof typeof w.roles] && (
              <span className="text-ink3"> ({w.roles[role as keyof typeof w.roles]})</span>
            )}
          </>
        ),
      },
      {
        key: 'known',
        head: w.knownAt,
        width: '120px',
        isMinor: true,
        cell: ({ known_at: known }) => (known === null ? '—' : sayTime(known, format)),
      },
      { key: 'file', head: w.file, width: 'minmax(140px, 1fr)', isMinor: true, cell: (row) => <File of={row} /> },
    ],
    [w, format],
  );
}

function sayValue(value: string | number | boolean, format: Format): string {
  return typeof value === 'number' ? format.digits(Number(value.toPrecision(6))) : String(value);
}

/** The row, by its key: a link where that is of an entity by the contract that is active now. */
function Place({ of: { table, key, row, kind, is_erased: isErased } }: { readonly of: Schemas['LineageHolder'] }) {
  const w = useWords(lineageWords);
  const format = useFormat();
  const tables = useContractTables();
  const entities = useMemo(() => entityTables(tables ?? []), [tables]);
  if (isErased) return <span className="text-ink3">{w.erased}</span>;
  if (kind === 'request') return <span className="text-ink3">{w.request}</span>;
  const name = kind === 'labels' ? w.labels : table;
  return (
    <>
      <span className="text-ink3">{name} </span>
      {key !== null && kind === 'data' && entities.includes(table) ? (
        <Link
          to="/entities/$table/$key"
          params={{ table, key }}
          className="font-mono text-accent text-meta underline underline-offset-2"
        >
          <KeyText text={key} />
        </Link>
      ) : key !== null ? (
        <span className="font-mono text-meta">
          <KeyText text={key} />
        </span>
      ) : row !== null ? (
        w.line(format.integer(row + 1))
      ) : (
        w.hiddenKey
      )}
    </>
  );
}

/** The file that brought a row, by the ingestion that took it in. */
function File({ of }: { readonly of: Row }) {
  const w = useWords(lineageWords);
  const format = useFormat();
  const { kind, path, ingestion_id: ingestion, row_number: number } = of;
  if (kind !== 'data') return <span className="text-ink3">—</span>;
  if (ingestion === null) return <span className="text-ink3">{w.notKept}</span>;
  return (
    <>
      <Link
        to="/data/ingestions/$ingestion_id"
        params={{ ingestion_id: ingestion }}
        className="text-accent underline underline-offset-2"
      >
        {path ?? `…${ingestion.slice(-6)}`}
      </Link>
      {number !== null && <span className="text-ink3"> {w.line(format.integer(number))}</span>}
    </>
  );
}
