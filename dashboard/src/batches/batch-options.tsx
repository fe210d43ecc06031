import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { type BatchOptions, priorityMax } from './batch-options.ts';
import { batchWords } from './words.ts';

export function BatchOptionFields({
  options,
  references,
  onChange,
}: {
  readonly options: BatchOptions;
  /** The columns that may be the reference; null where they are not known. */
  readonly references: readonly string[] | null;
  onChange(options: BatchOptions): void;
}) {
  const w = useWords(batchWords);
  const c = useWords(common);
  const set = (change: Partial<BatchOptions>) => onChange({ ...options, ...change });
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
      <Field label={w.format}>
        <Select
          value={options.format}
          options={[
            { value: '', label: w.sameFormat },
            { value: 'csv', label: 'CSV' },
            { value: 'excel', label: c.csvForExcel },
            { value: 'parquet', label: 'Parquet' },
            { value: 'jsonl', label: 'JSONL' },
          ]}
          onValue={(format) => set({ format })}
        />
      </Field>
      <Field label={w.referenceDate} hint={w.referenceDateHint} isOptional>
        <Input type="date" value={options.day} onChange={({ target }) => set({ day: target.value })} />
      </Field>
      <Field label={w.priority} hint={w.priorityHint}>
        <Input
          type="number"
          min={-priorityMax}
          max={priorityMax}
          step={1}
          value={options.priority}
          onChange={({ target }) => set({ priority: target.value })}
        />
      </Field>
      {(references === null || references.length > 0) && (
        <Field className="sm:col-span-3" label={w.reference} hint={w.referenceHint} isOptional>
          {references === null ? (
            <Input value={options.reference} onChange={({ target }) => set({ reference: target.value.trimStart() })} />
          ) : (
            <Select
              value={options.reference}
              options={[{ value: '', label: c.none }, ...references.map((name) => ({ value: name, label: name }))]}
              onValue={(reference) => set({ reference })}
            />
          )}
        </Field>
      )}
      <Checkbox
        className="sm:col-span-3"
        label={w.keepColumns}
        checked={options.hasColumns}
        onChange={({ target }) => set({ hasColumns: target.checked })}
      />
      <Checkbox
        className="sm:col-span-3"
        label={w.rowNumber}
        checked={options.hasRow}
        onChange={({ target }) => set({ hasRow: target.checked })}
      />
      <Checkbox
        className="sm:col-span-3"
        label={w.rowWarnings}
        checked={options.hasWarnings}
        onChange={({ target }) => set({ hasWarnings: target.checked })}
      />
      <Checkbox
        className="sm:col-span-3"
        label={w.interval}
        checked={options.hasInterval}
        onChange={({ target }) => set({ hasInterval: target.checked })}
      />
    </div>
  );
}
