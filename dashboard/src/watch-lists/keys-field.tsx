import { Field, TextArea } from '../kit/field.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { keysMax, readKeys } from './read-keys.ts';
import { watchListWords } from './words.ts';

/** Takes pasted keys, and says how many there are. */
export function KeysField({
  text,
  onText,
  error,
}: {
  readonly text: string;
  onText(text: string): void;
  readonly error: string | undefined;
}) {
  const w = useWords(watchListWords);
  const format = useFormat();
  const { length } = readKeys(text);
  const said = length === 1 ? w.oneKey : w.keyCount(format.integer(length));
  return (
    <Field label={w.keys} hint={length === 0 ? w.keysHint : said} error={error}>
      <TextArea
        value={text}
        onChange={({ target }) => onText(target.value)}
        rows={7}
        className="font-mono text-meta"
        spellCheck={false}
        autoComplete="off"
      />
    </Field>
  );
}

/** What is wrong with the keys of a text; undefined where nothing is. `isNeeded`: whether there must be one. */
export function useKeysMistake(text: string, isNeeded: boolean): string | undefined {
  const w = useWords(watchListWords);
  const format = useFormat();
  const { length } = readKeys(text);
  if (length > keysMax) return w.tooMany(format.integer(length));
  return isNeeded && length === 0 ? w.noKeys : undefined;
}
