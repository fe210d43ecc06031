import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';

const FieldContext = createContext<{ id: string; describedBy: string | undefined; isInvalid: boolean } | null>(null);

/** A labelled control with its hint and its error. The control inside takes the label by itself. */
export function Field({
  label,
  hint,
  error,
  isOptional,
  children,
  className = '',
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly isOptional?: boolean;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const id = useId();
  const w = useWords(common);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium text-body text-ink">
        {label}
        {isOptional && <span className="ml-1 font-normal text-ink3 text-meta">{w.optional}</span>}
      </label>
      <FieldContext value={{ id, describedBy, isInvalid: Boolean(error) }}>{children}</FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="text-ink3 text-meta">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-bad text-meta">
          {error}
        </p>
      )}
    </div>
  );
}

/** What a control takes from the field around it. */
export function useField() {
  const field = useContext(FieldContext);
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.isInvalid || undefined }
    : {};
}

const inputClass =
  'w-full rounded-[6px] border border-line2/50 bg-panel px-2.5 text-body text-ink transition-colors hover:border-line2 aria-invalid:border-bad disabled:bg-sunken disabled:text-ink3';

export function Input({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input {...useField()} {...rest} className={`${inputClass} h-8 ${className}`} />;
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useField()} {...rest} className={`${inputClass} py-1.5 ${className}`} />;
}

export type Option<T extends string> = { readonly value: T; readonly label: string };

/** The browser's own list of choices: it works by keyboard and on phones as people know it. */
export function Select<T extends string>({
  options,
  value,
  onValue,
  className = '',
  ...rest
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  readonly options: readonly Option<T>[];
  readonly value: T;
  onValue(value: NoInfer<T>): void;
}) {
  return (
    <select
      {...useField()}
      {...rest}
      value={value}
      onChange={(event) => onValue(event.target.value as T)}
      className={`${inputClass} h-8 pr-6 ${className}`}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

export function Checkbox({
  label,
  hint,
  className = '',
  ...rest
}: { readonly label: ReactNode; readonly hint?: string } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <span className={className}>
      <label className="inline-flex min-h-6 items-center gap-2 text-body">
        <input {...rest} type="checkbox" className="size-4 accent-ink" aria-describedby={hint && id} />
        {label}
      </label>
      {hint && (
        <span id={id} className="block pl-6 text-ink3 text-meta">
          {hint}
        </span>
      )}
    </span>
  );
}

/** One of a few choices, all of which are seen. */
export function Segmented<T extends string>({
  label,
  options,
  value,
  onValue,
}: {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T;
  onValue(value: NoInfer<T>): void;
}) {
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-[6px] border border-line2/50 bg-panel p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-flex h-[26px] items-center rounded-[4px] px-2.5 text-ink2 text-meta has-[:checked]:bg-ink has-[:checked]:text-canvas has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            onChange={() => onValue(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
