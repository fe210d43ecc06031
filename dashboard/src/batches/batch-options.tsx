import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import { batchWords } from './words.ts';

export type BatchOptions = {
  readonly format: '' | 'csv' | 'parquet' | 'jsonl';
  readonly day: string;
  readonly priority: string;
  readonly hasInterval: boolean;
};

export const usualOptions: BatchOptions = { format: '', day: '', priority: '0', hasInterval: false };
export const priorityMax = 10;

export function BatchOptionFields({
  options,
  onChange,
}: {
  readonly options: BatchOptions;
  onChange(options: BatchOptions): void;
}) {
  const w = useWords(batchWords);
  const set = (change: Partial<BatchOptions>) => onChange({ ...options, ...change });
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
      <Field label={w.format}>
        <Select
          value={options.format}
          options={[
            { value: '', label: w.sameFormat },
            { value: 'csv', label: 'CSV' },
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
      <Checkbox
        className="sm:col-span-3"
        label={w.interval}
        checked={options.hasInterval}
        onChange={({ target }) => set({ hasInterval: target.checked })}
      />
    </div>
  );
}
