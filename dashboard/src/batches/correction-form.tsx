import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { withoutPerson } from '../kit/documents.ts';
import { Input } from '../kit/field.tsx';
import { Detail, Refusal } from '../kit/states.tsx';
import { useVersion } from '../models/use-models.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Batch, fileName } from './batch.ts';
import type { BatchOfModel } from './body-like.ts';
import { checkRows, type Finding } from './check-rows.ts';
import { correctionWords } from './correction-words.ts';
import type { Fault, Faults } from './failed-rows.ts';
import { FileFindings } from './file-findings.tsx';
import { type CorrectedFile, knownNumber, sendCorrection } from './send-correction.ts';
import { placeOfColumn, type SourceRows } from './source-rows.ts';
import { batchWords } from './words.ts';

/** Rows that are corrected, and what is wrong with them. */
export type ToCorrect = { readonly sources: readonly SourceRows[]; readonly faults: Faults };

/** What was changed in a file: by row, and by the place of the column. */
type Changes = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** A file as it is corrected: with the columns that rows were found to lack. */
type Sheet = SourceRows & { readonly faults: ReadonlyMap<number, readonly Fault[]> };

/** The rows in tables whose wrong cells are fields; those that are changed are scored in a batch of their own. */
export function CorrectionForm({
  batch,
  rows: { sources, faults },
  onClose,
}: {
  readonly batch: BatchOfModel;
  readonly rows: ToCorrect;
  onClose(): void;
}) {
  const w = useWords(correctionWords);
  const format = useFormat();
  const client = useClient();
  const navigate = useNavigate();
  const sheets = useMemo(() => sources.map((source) => sheetOf(source, faults.get(source.fileId))), [sources, faults]);
  const [changes, setChanges] = useState<ReadonlyMap<string, Changes>>(new Map());
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const files = useMemo(
    () => sheets.flatMap((sheet) => correctedOf(sheet, changes.get(sheet.fileId)) ?? []),
    [sheets, changes],
  );
  const keys = useRef({ asked: '', key: '' });
  const send = useChange(
    () => {
      const asked = JSON.stringify(files);
      // The same rows sent again, after the answer was lost, are one batch.
      if (keys.current.asked !== asked) keys.current = { asked, key: crypto.randomUUID() };
      return sendCorrection(client, batch, files, keys.current.key);
    },
    { changes: [['batches']], isQuiet: true },
  );
  const submit = async (): Promise<void> => {
    const made = await send.mutateAsync(undefined).catch(() => null);
    if (made) await navigate({ to: '/batches/$batch_id', params: { batch_id: made.id }, search: {} });
  };
  const change = (fileId: string, row: number, at: number, value: string) =>
    setChanges((before) => {
      const own = before.get(fileId) ?? new Map<number, ReadonlyMap<number, string>>();
      return new Map(before).set(fileId, new Map(own).set(row, new Map(own.get(row)).set(at, value)));
    });
  const count = files.reduce((sum, { rows }) => sum + rows.length, 0);
  const all = sheets.reduce((sum, { rows }) => sum + rows.size, 0);
  return (
    <form
      ref={form}
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {sheets.map((sheet) => (
        <div key={sheet.fileId}>
          <SheetTable
            batch={batch}
            sheet={sheet}
            changes={changes.get(sheet.fileId) ?? new Map()}
            onChange={(row, at, value) => change(sheet.fileId, row, at, value)}
          />
          <Check batch={batch} file={files.find(({ fileId }) => fileId === sheet.fileId)} />
        </div>
      ))}
      <p className="text-ink2 text-meta">
        <span role="status">{w.changed(format.integer(count), format.integer(all))}</span> {w.keys}
      </p>
      {send.isError && <Refusal error={send.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" submits isBusy={send.isPending} disabled={count === 0}>
          {w.score(format.integer(count))}
        </Button>
        <Button onClick={onClose}>{w.cancel}</Button>
      </div>
    </form>
  );
}

function sheetOf(source: SourceRows, faults: ReadonlyMap<number, readonly Fault[]> = new Map()): Sheet {
  const columns = [...source.columns];
  for (const { column } of [...faults.values()].flat())
    if (column !== null && placeOfColumn(columns, column) < 0) columns.push(column);
  return { ...source, columns, faults };
}

/** The rows that were changed; null where none was. */
function correctedOf({ rows, faults: _, ...file }: Sheet, changes: Changes = new Map()): CorrectedFile | null {
  const changed = [...rows].flatMap(([number, cells]) => {
    const own = changes.get(number);
    const isChanged = own && [...own].some(([at, value]) => value !== (cells[at] ?? ''));
    return isChanged ? [{ number, cells: file.columns.map((_, at) => own.get(at) ?? cells[at] ?? '') }] : [];
  });
  return changed.length === 0 ? null : { ...file, rows: changed };
}

/** Holds the rows that were changed against what the model takes. */
function Check({ batch, file }: { readonly batch: Batch; readonly file: CorrectedFile | undefined }) {
  const version = useVersion(batch.model?.model_id, batch.model?.version_id);
  if (!file || !version.data) return null;
  const head = {
    ...{ format: 'csv' as const, columns: file.columns, isWhole: true },
    rows: file.rows.map(({ cells }) => cells),
  };
  const numberOf = knownNumber(batch, file.columns);
  const findings = checkRows(head, version.data.inputs, batch.reference_date !== null, batch.column_mapping);
  return (
    <FileFindings
      head={head}
      findings={findings.flatMap((one): readonly Finding[] => {
        if (one.kind === 'unknown') return [];
        if (!('row' in one)) return [one];
        const { number, cells } = file.rows[one.row - 1]!;
        return [{ ...one, row: numberOf(number, cells) }];
      })}
    />
  );
}

function SheetTable({
  batch,
  sheet: { path, columns, rows, faults },
  changes,
  onChange,
}: {
  readonly batch: Batch;
  readonly sheet: Sheet;
  readonly changes: Changes;
  onChange(row: number, at: number, value: string): void;
}) {
  const w = useWords(correctionWords);
  const format = useFormat();
  const label = w.rowsOf(fileName(path));
  const places = useMemo(() => placesOf(columns, faults), [columns, faults]);
  const numberOf = knownNumber(batch, columns);
  if (rows.size === 0) return <p className="text-ink2">{w.noCells(fileName(path))}</p>;
  return (
    <div
      role="region"
      aria-label={label}
      className="max-h-[70dvh] overflow-auto rounded-[8px] border border-line bg-panel"
    >
      <table className="min-w-full border-collapse text-meta" aria-label={label} onKeyDown={moveInColumn}>
        <thead className="sticky top-0 z-10 bg-panel">
          <tr className="border-line border-b">
            <th scope="col" className="sticky left-0 h-8 bg-panel px-3 text-right font-normal text-ink3">
              {w.row}
            </th>
            {places.map((at) => (
              <th key={at} scope="col" className="h-8 whitespace-nowrap px-3 text-left font-normal text-ink3">
                <bdi>{columns[at]}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {Array.from(rows, ([number, cells]) => {
            const own = faults.get(number) ?? [];
            const whole = own.filter(({ column }) => column === null);
            const row = format.integer(numberOf(number, cells));
            return (
              <tr key={number} className="align-top">
                <th scope="row" className="sticky left-0 bg-panel px-3 py-2.5 text-right font-normal">
                  {row}
                  {whole.length > 0 && <Reasons of={whole} className="w-48 text-left" />}
                </th>
                {places.map((at) => {
                  const wrong = own.filter(({ column }) => column !== null && placeOfColumn(columns, column) === at);
                  const value = cells[at] ?? '';
                  return (
                    <td key={at} className="max-w-80 px-3 py-1.5">
                      {wrong.length > 0 || whole.length > 0 ? (
                        <WrongCell
                          label={w.cell(columns[at]!, row)}
                          column={at}
                          faults={wrong}
                          value={changes.get(number)?.get(at) ?? value}
                          isChanged={(changes.get(number)?.get(at) ?? value) !== value}
                          onValue={(next) => onChange(number, at, next)}
                        />
                      ) : (
                        <span className="block truncate py-1" title={withoutPerson(value)}>
                          <bdi>{withoutPerson(value)}</bdi>
                        </span>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The places of columns: those with something wrong come first, so that narrow screens show them. */
function placesOf(columns: readonly string[], faults: Sheet['faults']): readonly number[] {
  const wrong = new Set(
    [...faults.values()].flat().flatMap(({ column }) => (column === null ? [] : placeOfColumn(columns, column))),
  );
  const all = [...columns.keys()];
  return [...all.filter((at) => wrong.has(at)), ...all.filter((at) => !wrong.has(at))];
}

function WrongCell({
  label,
  column,
  faults,
  value,
  isChanged,
  onValue,
}: {
  readonly label: string;
  readonly column: number;
  readonly faults: readonly Fault[];
  readonly value: string;
  readonly isChanged: boolean;
  onValue(value: string): void;
}) {
  const id = useId();
  return (
    <>
      <Input
        aria-label={label}
        aria-invalid={(faults.length > 0 && !isChanged) || undefined}
        aria-describedby={faults.length > 0 ? id : undefined}
        data-column={column}
        autoComplete="off"
        spellCheck={false}
        className="!w-44 font-mono"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      {faults.length > 0 && <Reasons id={id} of={faults} className={isChanged ? 'text-ink3' : 'text-bad'} />}
    </>
  );
}

function Reasons({
  id,
  of: faults,
  className,
}: {
  readonly id?: string;
  readonly of: readonly Fault[];
  readonly className: string;
}) {
  const w = useWords(correctionWords);
  const { codes } = useWords(batchWords);
  return (
    <div id={id} className={`mt-0.5 max-w-64 break-words ${className}`}>
      {faults.map(({ error }, at) => (
        <p key={at}>
          {error === null ? (
            w.wrongDigits
          ) : (
            <Detail because={error.because}>
              {error.message || ((codes as Readonly<Record<string, string>>)[error.code] ?? error.code)}
            </Detail>
          )}
        </p>
      ))}
    </div>
  );
}

/** Enter and the arrow keys go to the field above or below in the same column, as in a spreadsheet. */
function moveInColumn(event: React.KeyboardEvent<HTMLTableElement>): void {
  const field = event.target;
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(field instanceof HTMLInputElement) || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLInputElement>(`[data-column="${field.dataset.column}"]`)];
  all[all.indexOf(field) + step]?.focus();
}
