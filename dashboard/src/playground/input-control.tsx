import type { Schemas } from '@lastro/sdk';
import { type ReactNode, useState } from 'react';
import { documentsOf } from '../batches/document-columns.ts';
import { bare, type DocumentKind, documentKind, isMistyped, punctuated } from '../kit/documents.ts';
import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { textOf } from '../kit/text-of.ts';
import { sayField } from '../models/field-words.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { readNumber, writeNumber } from './locale-number.ts';
import { asPicked } from './picked.ts';
import { playgroundWords } from './words.ts';

export type InputField = Schemas['ModelField'];

/** One input of a version: its control by type and format, what is said of it, and why it was refused. */
export function InputControl({
  field,
  value,
  refusal,
  onValue,
}: {
  readonly field: InputField;
  readonly value: unknown;
  readonly refusal: ReactNode;
  /** `undefined` leaves the input out. */
  onValue(value: unknown): void;
}) {
  const w = useWords(playgroundWords);
  const language = useLanguage();
  const { note, warning, error } = useRemarks(field, value);
  const weight = useWeight(field);
  return (
    <Field
      label={
        <span className="flex items-baseline justify-between gap-3">
          <span className="line-clamp-3 min-w-0 break-words">{field.name}</span>
          {weight && <span className="shrink-0 font-normal text-ink3 text-meta">{weight}</span>}
        </span>
      }
      hint={
        <>
          <span className="line-clamp-2 break-words">{useHint(field)}</span>
          {note && <span className="block text-good">{note}</span>}
          <span role="status" className="block text-warn">
            {warning}
          </span>
        </>
      }
      error={refusal ?? error}
    >
      <div className="flex items-center gap-3">
        <Control key={language} field={field} value={value} onValue={onValue} />
        {field.nullable && (
          <Checkbox
            className="shrink-0"
            label={w.notKnown}
            checked={value === null}
            onChange={(event) => onValue(event.target.checked ? null : undefined)}
          />
        )}
      </div>
    </Field>
  );
}

function Control({
  field,
  value,
  onValue,
}: {
  readonly field: InputField;
  readonly value: unknown;
  onValue(value: unknown): void;
}) {
  const c = useWords(common);
  const w = useWords(playgroundWords);
  const text = textOf(value);
  const common_ = { 'data-input': field.name, 'aria-required': field.required || undefined };
  const asText = (
    <Input
      {...common_}
      value={text}
      autoComplete="off"
      spellCheck={false}
      disabled={value === null}
      onChange={(event) => onValue(event.target.value === '' ? undefined : event.target.value)}
    />
  );
  const choices = field.type === 'boolean' ? ['true', 'false'] : field.enum;
  if (choices && (text === '' || choices.includes(text)))
    return (
      <Select
        {...common_}
        value={text}
        disabled={value === null}
        options={[
          { value: '', label: w.notGiven },
          ...choices.map((one) => ({
            value: one,
            label: field.type === 'boolean' ? (one === 'true' ? c.yes : c.no) : one,
          })),
        ]}
        onValue={(one) => onValue(one === '' ? undefined : field.type === 'boolean' ? one === 'true' : one)}
      />
    );
  if ((field.type === 'number' || field.type === 'integer') && typeof value !== 'object')
    return <NumberInput field={field} value={value} onValue={onValue} />;
  const picker = pickers[field.type];
  const picked = asPicked(field.type, text);
  if (picker && (text === '' || picker.form.test(picked)))
    return (
      <Input
        {...common_}
        type={picker.type}
        step={picker.type === 'date' ? undefined : 1}
        max={picker.max}
        value={picked}
        disabled={value === null}
        onChange={(event) => onValue(event.target.value === '' ? undefined : event.target.value)}
      />
    );
  const kind = documentOf(field);
  if (kind && value !== null) return <DocumentInput field={field} kind={kind} text={text} onValue={onValue} />;
  return asText;
}

const lengths = { cpf: 11, cnpj: 14 } as const;

/** The document that an input is: its contract says so, or its example is one. */
function documentOf({ format, example }: InputField): DocumentKind | null {
  if (format === 'cpf' || format === 'cnpj') return format;
  return typeof example === 'string' ? documentKind(example) : null;
}

/** The document that a text is or becomes: where only an example says which, one of the other kind is taken as well. */
function becoming(text: string, { format }: InputField, kind: DocumentKind): DocumentKind {
  if (format === 'cpf' || format === 'cnpj') return format;
  return bare(text).length > lengths.cpf ? 'cnpj' : (documentKind(text) ?? kind);
}

/** Controls of days and times, for values that they can show; other values are shown as texts. */
const pickers: Readonly<Record<string, { readonly type: string; readonly form: RegExp; readonly max?: string }>> = {
  // A year has four digits, of which browsers take six unless the latest is told.
  date: { type: 'date', form: /^\d{4}-\d\d-\d\d$/, max: '9999-12-31' },
  timestamp: {
    ...{ type: 'datetime-local', form: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, max: '9999-12-31T23:59:59' },
  },
  time: { type: 'time', form: /^\d\d:\d\d(:\d\d)?$/ },
};

const isMoney = ({ format, unit }: InputField): boolean => format === 'money' || unit === 'BRL';

/** Keeps what is typed, says the number that it means, and writes it in full when it is left. */
function NumberInput({
  field,
  value,
  onValue,
}: {
  readonly field: InputField;
  readonly value: unknown;
  onValue(value: unknown): void;
}) {
  const language = useLanguage();
  const say = (one: unknown) =>
    typeof one === 'number' ? writeNumber(one, language, isMoney(field) && Math.abs(one) < 1e15) : textOf(one);
  const [typed, setTyped] = useState({ text: say(value), value });
  const text = Object.is(typed.value, value) ? typed.text : say(value);
  const unit = isMoney(field) ? 'R$' : null;
  const type = (written: string) => {
    const read = written.trim() === '' ? undefined : (readNumber(written, language) ?? written);
    setTyped({ text: written, value: read });
    onValue(read);
  };
  return (
    <span className="relative min-w-0 flex-1">
      {unit && (
        <span
          className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink3"
          aria-hidden="true"
        >
          {unit}
        </span>
      )}
      <Input
        data-input={field.name}
        aria-required={field.required || undefined}
        inputMode="decimal"
        autoComplete="off"
        className={unit ? '!pl-9' : ''}
        value={text}
        disabled={value === null}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped({ text: say(value), value })}
      />
      {!unit && field.unit && (
        <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-ink3 text-meta">
          {field.unit}
        </span>
      )}
    </span>
  );
}

/** A CPF or CNPJ, punctuated while it is typed, and sent as the workspace's data write it. */
function DocumentInput({
  field,
  kind,
  text,
  onValue,
}: {
  readonly field: InputField;
  readonly kind: 'cpf' | 'cnpj';
  readonly text: string;
  onValue(value: unknown): void;
}) {
  const isPunctuated = typeof field.example !== 'string' || /[./-]/.test(field.example);
  const type = (written: string) => {
    const become = becoming(written, field, kind);
    const plain = bare(written).slice(0, lengths[become]);
    onValue(plain === '' ? undefined : isPunctuated ? punctuated(plain, become) : plain);
  };
  return (
    <Input
      data-input={field.name}
      aria-required={field.required || undefined}
      className="font-mono"
      autoComplete="off"
      spellCheck={false}
      inputMode={field.format === 'cpf' ? 'numeric' : 'text'}
      value={punctuated(text, becoming(text, field, kind))}
      onChange={(event) => type(event.target.value)}
    />
  );
}

/** What can be said of a value before it is sent. Only the service refuses, and it takes documents that are none. */
function useRemarks(
  field: InputField,
  value: unknown,
): { readonly note?: string; readonly warning?: string; readonly error?: string } {
  const w = useWords(playgroundWords);
  const { type, minimum, maximum } = field;
  if (value === undefined || value === null) return {};
  if (type === 'number' || type === 'integer') {
    if (typeof value !== 'number') return { error: w.noNumber };
    if (type === 'integer' && !Number.isInteger(value)) return { error: w.noInteger };
    return (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)
      ? { error: w.outside }
      : {};
  }
  if (typeof value !== 'string' || type !== 'string') return {};
  const kind = documentKind(value);
  if (kind) return { note: kind === 'cpf' ? w.rightCpf : w.rightCnpj };
  const meant = documentOf(field);
  const { length } = bare(value);
  if (meant && length === lengths.cpf && field.format !== meant) return { warning: w.noDocument };
  if (meant && length < lengths[becoming(value, field, meant)]) return { warning: w.incomplete };
  const isWhole = (meant ? [becoming(value, field, meant)] : documentsOf(field)).some((one) => length === lengths[one]);
  return isWhole || isMistyped(value) ? { warning: w.wrongDigits } : {};
}

function useHint({ name, description, minimum, maximum, unit, format }: InputField): string {
  const w = useWords(playgroundWords);
  const say = useFormat();
  if (name === 'reference_date') return w.asOfHint;
  const number = (value: number) => (format === 'money' || unit === 'BRL' ? say.money(value) : say.number(value));
  const range =
    minimum !== undefined && maximum !== undefined
      ? w.between(number(minimum), number(maximum))
      : minimum !== undefined
        ? w.atLeast(number(minimum))
        : maximum !== undefined
          ? w.atMost(number(maximum))
          : '';
  return [sayField(description, say.language), range].filter(Boolean).join(' ');
}

function useWeight({ required, importance }: InputField): string {
  const c = useWords(common);
  const w = useWords(playgroundWords);
  const format = useFormat();
  const weight = importance !== undefined && importance >= 0.001 ? w.importance(format.percent(importance)) : '';
  return [required ? c.required : '', weight].filter(Boolean).join(' · ');
}
