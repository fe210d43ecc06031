import type { Schemas } from '@lastro/sdk';
import { type DocumentKind, documentKind, isMistyped } from '../kit/documents.ts';
import { textOf } from '../kit/text-of.ts';
import type { Head } from '../uploads/head-of-file.ts';

type Named = Pick<Schemas['ModelVersion']['inputs'][number], 'name' | 'aliases' | 'type' | 'format' | 'description'>;

/** A column holds documents where at least so many of its values are. */
const shareLeast = 0.9;

/** Which documents an input holds: by its format, else by what it is called and said to be; none of most inputs. */
export function documentsOf({ name, aliases = [], type, format, description }: Named): readonly DocumentKind[] {
  if (type !== 'string' && type !== 'integer') return [];
  if (format === 'cpf' || format === 'cnpj') return [format];
  // One that is of another form is no document; an identifier may be.
  if (format !== undefined && format !== 'identifier') return [];
  const names = [name, ...aliases].join(' ').toLowerCase();
  const told = (['cpf', 'cnpj'] as const).filter((kind) => isWord(kind, `${names} ${description.toLowerCase()}`));
  return told.length === 0 && ['document', 'documento', 'tax_id'].some((word) => isWord(word, names))
    ? ['cpf', 'cnpj']
    : told;
}

/** The only one of some columns whose values are documents; '' where there is none, or several. */
export function documentColumn(
  heads: readonly Head[],
  columns: readonly string[],
  kinds: readonly DocumentKind[],
): string {
  const found = columns.filter((column) => {
    const values = valuesOf(heads, column);
    const documents = values.filter((text) => {
      const kind = documentKind(text);
      return kind === null ? isMistyped(text) : kinds.includes(kind);
    });
    return documents.length > 0 && documents.length >= shareLeast * values.length;
  });
  return found.length === 1 ? found[0] : '';
}

const isWord = (word: string, text: string): boolean => new RegExp(`(?<![a-z])${word}(?![a-z])`).test(text);

/** The texts in a column, as far as there are any. */
export function valuesOf(heads: readonly Head[], column: string): readonly string[] {
  return heads.flatMap((head) => {
    const at = head.columns.findIndex((one) => one.trim().toLowerCase() === column.toLowerCase());
    return at < 0 ? [] : head.rows.map((row) => textOf(row[at]).trim()).filter((text) => text !== '');
  });
}
