import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Input } from './field.tsx';

export type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The first and the last day of a list, each optional, with their names beside them. */
export function DaysBetween({ from, to, onChange }: Days & { onChange(change: Days): void }) {
  const c = useWords(common);
  const days = [
    { name: 'from', label: c.from, value: from },
    { name: 'to', label: c.until, value: to },
  ] as const;
  return days.map(({ name, label, value }) => (
    <span key={name} className="flex items-center gap-1.5">
      <span aria-hidden="true" className="text-ink2">
        {label}
      </span>
      <Input
        type="date"
        aria-label={label}
        className="!w-36"
        value={value ?? ''}
        onChange={(event) => onChange({ [name]: event.target.value || undefined })}
      />
    </span>
  ));
}
