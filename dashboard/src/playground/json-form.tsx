import type { LastroError } from '@lastro/sdk';
import { Field, TextArea } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import type { ReadJson } from './json-text.ts';
import { playgroundWords } from './words.ts';

/** The inputs as JSON. A text that is none stays as it was typed, and says where it stops being one. */
export function JsonForm({
  text,
  read,
  refusal,
  onText,
}: {
  readonly text: string;
  readonly read: ReadJson | null;
  readonly refusal: LastroError | null;
  onText(text: string): void;
}) {
  const w = useWords(playgroundWords);
  const fault =
    read === null || 'inputs' in read
      ? undefined
      : read.fault === 'no_object'
        ? w.jsonNoObject
        : `${w.jsonAt(read.line, read.column)}: ${w.jsonExpected[read.expected]}, ${read.found === '' ? w.jsonEnds : w.jsonFound(read.found)}.`;
  return (
    <Field label={w.inputs} error={fault ?? (refusal && refusal.errors.length > 0 ? refusal.detail : undefined)}>
      <TextArea
        data-input="$json"
        className="font-mono !text-meta leading-[18px]"
        rows={Math.min(28, Math.max(10, text.split('\n').length + 1))}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </Field>
  );
}
