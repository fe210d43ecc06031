import { Field, Input, Select } from '../kit/field.tsx';
import { Tag } from '../kit/status.tsx';
import type { Head } from '../uploads/head-of-file.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { ContractTable } from './contract.ts';
import type { Placing } from './guess-placing.ts';
import { sendWords } from './send-words.ts';
import { dataWords } from './words.ts';

/** Of the service: letters, digits and _, and between them blanks, dots and hyphens. */
export const tableName = /^[\p{L}\p{N}_]([\p{L}\p{N}_ .-]*[\p{L}\p{N}_])?$/u;
const namesShown = 12;

export function PlacingFields({
  name,
  placing,
  head,
  tables,
  listId,
  onChange,
}: {
  readonly name: string;
  readonly placing: Placing;
  readonly head: Head | null | undefined;
  readonly tables: readonly ContractTable[];
  readonly listId: string;
  onChange(placing: Placing): void;
}) {
  const w = useWords(dataWords);
  const own = useWords(sendWords);
  const known = tables.find((table) => table.name === placing.table);
  return (
    <div className="mt-1.5">
      <div className="flex flex-wrap items-start gap-3">
        <Field label={w.table} className="w-56 max-w-full" error={!tableName.test(placing.table) && own.badTable}>
          <Input
            aria-label={own.tableOf(name)}
            list={listId}
            value={placing.table}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => onChange({ ...placing, table: target.value })}
          />
        </Field>
        <Field label={w.mode} className="w-60 max-w-full">
          <Select
            aria-label={own.modeOf(name)}
            value={placing.mode}
            options={(['append', 'upsert', 'replace'] as const).map((value) => ({ value, label: w.modes[value] }))}
            onValue={(mode) => onChange({ ...placing, mode })}
          />
        </Field>
        <span className="pt-8">
          {known ? <Tag tone="good">{own.tableKnown}</Tag> : <Tag tone="live">{own.tableNew}</Tag>}
        </span>
      </div>
      {head && <ColumnsRead head={head} table={known} />}
    </div>
  );
}

/** What the first rows of a file say, against the table of the contract. */
function ColumnsRead({ head, table }: { readonly head: Head; readonly table: ContractTable | undefined }) {
  const w = useWords(dataWords);
  const own = useWords(sendWords);
  const format = useFormat();
  const rows = format.integer(head.rows.length);
  const listed = (names: readonly string[]) =>
    names.length > namesShown
      ? `${names.slice(0, namesShown).join(', ')} ${w.more(names.length - namesShown)}`
      : names.join(', ');
  const present = new Set(head.columns.map((column) => column.toLowerCase()));
  const names = new Set(
    table?.columns.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => one.toLowerCase())) ?? [],
  );
  const unknown = table ? head.columns.filter((column) => !names.has(column.toLowerCase())) : [];
  const lacked = (table?.columns ?? []).filter(
    ({ name, aliases, isRequired }) => isRequired && ![name, ...aliases].some((one) => present.has(one.toLowerCase())),
  );
  const columns = listed(head.columns);
  return (
    <div className="mt-1.5 flex flex-col gap-0.5 break-words text-ink2 text-meta">
      <p>{head.isWhole ? own.columnsReadAll(rows, columns) : own.columnsRead(rows, columns)}</p>
      {unknown.length > 0 && (
        <p role="status" className="text-warn">
          {own.unknownColumns(listed(unknown))}
        </p>
      )}
      {lacked.length > 0 && (
        <p role="status" className="text-warn">
          {own.lackedColumns(listed(lacked.map(({ name }) => name)))}
        </p>
      )}
    </div>
  );
}
