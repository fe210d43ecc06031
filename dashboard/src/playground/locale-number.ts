import type { Language } from '../words/language.ts';

/**
 * The number that a text says as people of a language write it: `1.234,5` in Portuguese, `1,234.5` in English. Groups
 * must be of three digits, so that `1.5` is refused in Portuguese rather than read as 15. Null where it is no number.
 */
export function readNumber(text: string, language: Language): number | null {
  const [group, decimal] = language === 'pt-BR' ? ['.', ','] : [',', '.'];
  const plain = text
    .replace(/^\s*R\$\s*/, '')
    .replace(/\s/g, '')
    .replace('−', '-');
  const form = new RegExp(`^[+-]?(\\d+|\\d{1,3}(\\${group}\\d{3})+)?(\\${decimal}\\d*)?(e[+-]?\\d+)?$`, 'i');
  if (!/\d/.test(plain) || !form.test(plain)) return null;
  const value = Number(plain.replaceAll(group, '').replace(decimal, '.'));
  return Number.isFinite(value) ? value : null;
}

const writers = new Map<string, Intl.NumberFormat>();

/** A number as it stands in a field: all its digits, in the language's signs. */
export function writeNumber(value: number, language: Language, isMoney: boolean): string {
  const key = `${language} ${isMoney}`;
  let writer = writers.get(key);
  if (!writer) {
    const digits = isMoney ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 15 };
    writers.set(key, (writer = new Intl.NumberFormat(language, digits)));
  }
  return writer.format(value);
}
