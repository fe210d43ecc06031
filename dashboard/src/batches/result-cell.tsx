import { Band, bandByName } from '../kit/bands.tsx';
import { withoutPerson } from '../kit/documents.ts';
import { textOf } from '../kit/text-of.ts';
import { isLittleKnown } from '../predictions/known.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { previewWords } from './preview-words.ts';
import { broughtColumns, reasonColumns } from './result-columns.ts';
import { type Declared, numberOf, sayCell } from './say-cell.ts';

/** A CPF is masked: who needs it whole has it in the file. */
export function shownText(value: unknown): string {
  return withoutPerson(textOf(value));
}

/** A level of knowledge is a word of the service, which the cell says in plainer ones. */
export const titleOf = (name: string, value: unknown): string | undefined =>
  name === 'data_coverage' ? undefined : (textsOf(shownText(value))?.join('\n') ?? shownText(value));

/** A value of a result in brief. */
export function Cell({
  name,
  value,
  declared,
  isOwn,
  isUnknown,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly declared: Declared | undefined;
  /** Whether it is of the file that was sent, and stands as it was written. */
  readonly isOwn: boolean;
  /** Whether nothing is known of whom the row is about: that something has no value is then no reason. */
  readonly isUnknown: boolean;
}) {
  const w = useWords(previewWords);
  const format = useFormat();
  if (isUnknown && reasonColumns.has(name)) return w.noReasons;
  const text = shownText(value);
  if (isOwn || broughtColumns.includes(name)) return text;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return format.dateTime(text);
  const band = bandByName(text);
  if (band) return <Band name={band.name} />;
  const said = sayCell(name, value, declared, format);
  const number = numberOf(value);
  if (name === 'data_coverage' && said !== null)
    return <span className={isUnknown ? 'text-warn' : ''}>{isUnknown ? said : w.ofInputs(said)}</span>;
  if (name === 'data_coverage_share' && said !== null)
    return <span className={number !== null && isLittleKnown(number) ? 'text-warn' : ''}>{w.ofHistory(said)}</span>;
  if (said !== null) return said;
  // Whole numbers may be keys, which stand as they are.
  if (number !== null && !Number.isInteger(number)) return format.number(number);
  return textsOf(text)?.join(' · ') ?? text;
}

/** The texts of a list in JSON; null where it is none. */
export function textsOf(text: string): readonly string[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.every((one) => typeof one === 'string') ? found : null;
  } catch {
    return null;
  }
}
