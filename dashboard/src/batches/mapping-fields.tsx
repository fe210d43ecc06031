import { useEffect, useState } from 'react';
import { Field, Select } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { MappedInput } from './column-mapping.ts';
import { batchWords } from './words.ts';

const exampleShown = 40;

/** Which column of the files each input is read from, to be corrected. Open where something is to be looked at. */
export function MappingFields({
  mapped,
  body,
  undated,
  onChange,
}: {
  readonly mapped: readonly MappedInput[];
  readonly body: string;
  /** What becomes of rows that nothing dates, where they are taken. */
  readonly undated?: string | undefined;
  onChange(input: string, column: string): void;
}) {
  const w = useWords(batchWords);
  const c = useWords(common);
  const format = useFormat();
  const isDoubtful = mapped.some(
    ({ input, column, guessedBy, dayColumns }) =>
      guessedBy !== null || dayColumns.length > 1 || (input.required && !input.dates_row && column === ''),
  );
  const read = mapped.filter(({ column }) => column !== '').length;
  const [isOpen, setOpen] = useState(isDoubtful);
  // What is settled does not close under the hands of whoever settled it.
  useEffect(() => {
    if (isDoubtful) setOpen(true);
  }, [isDoubtful]);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-[8px] border border-line bg-panel px-3"
    >
      <summary className="cursor-pointer py-2 font-medium">{w.mapping(read, mapped.length)}</summary>
      <p className="mb-3 max-w-3xl text-ink2 text-meta">{body}</p>
      {mapped.map(
        ({ input: { name, required }, dayColumns }) =>
          dayColumns.length > 1 && (
            <p key={name} role="status" className="mb-3 max-w-3xl rounded-[6px] bg-warn-soft px-2.5 py-1.5 text-warn">
              {w.severalDays(name, format.list(dayColumns))} {!required && undated}
            </p>
          ),
      )}
      <div className="mb-4 grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {mapped.map(({ input, column, isNamed, guessedBy, columns, example }) => (
          <Field
            key={input.name}
            label={<bdi className="break-all">{input.name}</bdi>}
            isOptional={!input.required}
            hint={
              example === ''
                ? undefined
                : (guessedBy === null ? w.exampleValue : w.guessedColumn[guessedBy])(
                    example.length > exampleShown ? `${example.slice(0, exampleShown)}…` : example,
                  )
            }
            error={input.required && !input.dates_row && column === '' ? w.noColumn : undefined}
          >
            <Select
              value={column}
              options={[
                // A column of the input's own name is read whatever is said.
                ...(isNamed ? [] : [{ value: '', label: c.none }]),
                ...columns.map((name) => ({ value: name, label: name })),
              ]}
              onValue={(name) => onChange(input.name, name)}
            />
          </Field>
        ))}
      </div>
    </details>
  );
}
