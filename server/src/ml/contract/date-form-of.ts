import type { DateForm } from '../../lib/files/date-forms.ts';
import { readChunks } from '../../lib/files/read.ts';
import type { TableContract } from './contract.ts';
import { datesOfNumbers } from './dates.ts';
import { typeOfTexts } from './profile.ts';

/** How a column of a file writes its dates. `isGuessed`: no row tells its day from its month. */
export type FoundForm = { readonly form: DateForm; readonly isGuessed: boolean };

/** The rows of a file by which the form of its dates is found. */
const rowsSeen = 10_000;

/**
 * The form in which a column of a file writes its dates, by its first rows and the rules by which that of a table is
 * found; undefined where ISO 8601 reads them, or nothing does. Where every date may be read either way the order is
 * that of `tables`, or else the day comes first. The same file gives the same form.
 */
export async function dateFormOf(
  path: string,
  column: string,
  tables: readonly TableContract[],
  nameOf: (path: string) => string,
): Promise<FoundForm | undefined> {
  const options = { nameOf, rowsPerChunk: rowsSeen };
  for await (const { rows } of readChunks(path, [{ name: column, type: 'string' }], options)) {
    const texts = rows.columns.get(column);
    if (texts?.kind !== 'text') return undefined;
    const counts = new Int32Array(texts.dictionary.length);
    for (const code of texts.codes) if (code >= 0) counts[code]++;
    const { type, written } = typeOfTexts(texts.dictionary, counts);
    if (written === null && (type === 'integer' || type === 'number'))
      return certain(datesOfNumbers('date', texts.dictionary.map(Number))?.form);
    if (written === null) return undefined;
    const isOrdered = written.form === 'dd/MM/yyyy' || written.form === 'MM/dd/yyyy';
    if (!isOrdered || written.decided > 0) return certain(written.form);
    return { form: orderIn(tables) ?? written.form, isGuessed: true };
  }
  return undefined;
}

/** Says how the days of rows are read, and that it is a guess where it is one. */
export function sayDayForm({ form, isGuessed }: FoundForm): string {
  const read = `the days of rows are read as ${form}`;
  return isGuessed ? `${read}, though none tells its day from its month: write them as 2026-12-31 to be sure` : read;
}

function certain(form: DateForm | undefined): FoundForm | undefined {
  return form && { form, isGuessed: false };
}

/** The order of day and month in which tables write dates, where they write them alike. */
function orderIn(tables: readonly TableContract[]): DateForm | null {
  const forms = tables.flatMap(({ columns }) => columns.map(({ dateForm }) => dateForm));
  const ordered = new Set(forms.filter((form) => form === 'dd/MM/yyyy' || form === 'MM/dd/yyyy'));
  return ordered.size === 1 ? [...ordered][0] : null;
}
