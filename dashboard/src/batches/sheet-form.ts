import type { Lastro } from '@lastro/sdk';
import { bandByName, type bands } from '../kit/bands.tsx';
import { withoutFormula } from '../kit/csv.ts';
import { isOfUnknown } from '../predictions/known.ts';
import { sayValue } from '../predictions/value-words.ts';
import { csvLine } from '../uploads/csv.ts';
import type { Language } from '../words/language.ts';

/** The words of a result that stand in cells, in the language of whoever reads it. */
export type SheetWords = {
  readonly bands: Readonly<Record<(typeof bands)[number]['key'], string>>;
  readonly rowCodes: Readonly<Record<string, string>>;
};

/** How a file of a result is written, and how people read it. */
export type Forms = {
  readonly dialect: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly words: SheetWords;
  /** What one's own file calls columns that the result has under other names. */
  readonly own: Readonly<Record<string, string>>;
};

/** The reasons of a row, of which batches tell so many. More of them would stand in the cell of the last. */
const reasonsTold = 4;

/** How spreadsheets take CSV: in Portuguese numbers have commas, so that fields do not. */
export const signs = {
  en: { delimiter: ',', decimal: '.' },
  'pt-BR': { delimiter: ';', decimal: ',' },
} as const;

/** A result by its rows. `sent`: how many of the columns, the first ones, are those of the file that was sent. */
export type Answered = {
  readonly columns: readonly string[];
  readonly sent: number;
  readonly rows: AsyncIterable<{ readonly cells: readonly string[] }>;
};

/** Writes a result as the service does: all of it texts that are there already. */
export async function asScored({ columns, rows }: Answered, dialect: string): Promise<Blob> {
  const { delimiter } = signs[dialect === 'excel_semicolon' ? 'pt-BR' : 'en'];
  async function* lines() {
    yield csvLine(columns, delimiter);
    for await (const { cells } of rows) yield csvLine(cells, delimiter);
  }
  return packed(lines(), dialect === 'excel_semicolon');
}

/**
 * Writes a result as people read it in a spreadsheet: a cell for each reason and bound, bands and codes in words, moments
 * on the clocks of the workspace, and numbers that spreadsheets of the language take for numbers. Columns are called as
 * in the API, and one's own as in one's own file. Keys, and all that was sent, stay as they are, those that look like
 * numbers too.
 */
export function asSheet(client: Lastro, { columns: all, sent, rows }: Answered, forms: Forms): Promise<Blob> {
  const from = signs[forms.dialect === 'excel_semicolon' ? 'pt-BR' : 'en'];
  const to = signs[forms.language];
  const numbersOf = openNumbers(client);
  const sheet = openSheet(forms);
  const columns = all.slice(sent);
  const headOf = (first: readonly string[]) =>
    csvLine([...all.slice(0, sent), ...sheet.head(columns, first)], to.delimiter);
  async function* lines() {
    let isHeadWritten = false;
    for await (const { cells: row } of rows) {
      const told = row.slice(sent);
      // The first row says which fields have bounds.
      if (!isHeadWritten) yield headOf(told);
      isHeadWritten = true;
      const numbers = await numbersOf(told[columns.indexOf('model_id')], told[columns.indexOf('version_id')]);
      const cells = columns.map((name, at) =>
        numbers.has(name) ? told[at].replace(from.decimal, to.decimal) : told[at],
      );
      yield csvLine([...row.slice(0, sent), ...sheet.row(columns, cells, to.decimal)], to.delimiter);
    }
    if (!isHeadWritten) yield headOf([]);
  }
  return packed(lines(), true);
}

const linesPerPart = 10_000;

/** A file of these lines; with `isMarked` spreadsheets take it for UTF-8. The browser keeps large parts on the disk. */
async function packed(all: AsyncIterable<string>, isMarked: boolean): Promise<Blob> {
  const parts: BlobPart[] = isMarked ? ['\ufeff'] : [];
  let lines: string[] = [];
  for await (const line of all) {
    lines.push(line);
    if (lines.length < linesPerPart) continue;
    parts.push(new Blob(lines));
    lines = [];
  }
  return new Blob([...parts, ...lines], { type: 'text/csv' });
}

function openSheet({ language, timeZone, words, own }: Omit<Forms, 'dialect'>) {
  const momentOf = openMoments(language, timeZone);
  /** By column, its cells in words; those of other columns stay as they are. */
  const cellsOf: Readonly<Record<string, (text: string) => readonly string[]>> = {
    key_factors: reasonsOf,
    risk_factors: reasonsOf,
    risk_band: (text) => [wordOf(text, words.bands, bandByName(text)?.key)],
    data_coverage: (text) => [sayValue('data_coverage', text, language)],
    growth_signal: (text) => [sayValue('growth_signal', text, language)],
    segment: (text) => [sayValue('segment', text, language)],
    warnings: (text) => [
      text
        .split(';')
        .map((code) => wordOf(code, words.rowCodes))
        .join(' · '),
    ],
    as_of: (text) => [momentOf(text)],
  };
  const reasonsOfColumn = (name: string) => Array.from({ length: reasonsTold }, (_, at) => `${name}_${at + 1}`);
  const heads: Readonly<Record<string, readonly string[]>> = {
    key_factors: reasonsOfColumn('key_factors'),
    risk_factors: reasonsOfColumn('risk_factors'),
    // On whose clocks moments are is said nowhere else in the file.
    as_of: [`as_of (${timeZone})`],
  };
  let bounded: readonly string[] = [];
  return {
    /** `first`: the first row of cells. */
    head(columns: readonly string[], first: readonly string[]) {
      bounded = Object.keys(boundsOf(first[columns.indexOf(intervals)] ?? ''));
      const ofBounds = bounded.flatMap((name) => [`${name}_lower`, `${name}_upper`]);
      const headOf = (name: string) => {
        const sent = own[name];
        return sent === undefined || columns.includes(sent) ? name : sent;
      };
      return columns.flatMap((name) => (name === intervals ? ofBounds : (heads[name] ?? [headOf(name)])));
    },
    row(columns: readonly string[], cells: readonly string[], decimal: string) {
      // Of somebody unknown reasons tell nothing, as the page says, where files are passed on.
      const isUnknown = isOfUnknown({ data_coverage: cells[columns.indexOf('data_coverage')] });
      return columns.flatMap((name, at) => {
        if (isUnknown && cellsOf[name] === reasonsOf) return reasonsOf('');
        if (name !== intervals) return cellsOf[name]?.(cells[at]) ?? [cells[at]];
        const bounds = boundsOf(cells[at]);
        return bounded.flatMap((field) =>
          [bounds[field]?.lower, bounds[field]?.upper].map((bound) => String(bound ?? '').replace('.', decimal)),
        );
      });
    },
  };
}

/** The column of the bounds of each answer, as JSON by field. */
const intervals = 'interval';

const boundsOf = (text: string): Readonly<Record<string, { readonly lower: number; readonly upper: number }>> =>
  text === '' ? {} : JSON.parse(text);

function wordOf(text: string, words: Readonly<Record<string, string>>, key = text): string {
  return words[key] ?? text;
}

/** A list of texts in JSON, a cell for each. */
function reasonsOf(text: string): readonly string[] {
  const all = text === '' ? [] : (JSON.parse(text) as readonly string[]).map(withoutFormula);
  const told = [...all.slice(0, reasonsTold - 1), all.slice(reasonsTold - 1).join(' · ')];
  return Array.from({ length: reasonsTold }, (_, at) => told[at] ?? '');
}

/** Writes moments as spreadsheets of the language take them for such. Many rows have the one before. */
function openMoments(language: Language, timeZone: string): (text: string) => string {
  const clock = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  let last = ['', ''] as readonly [text: string, said: string];
  return (text) => {
    if (text === last[0]) return last[1];
    const part = Object.fromEntries(clock.formatToParts(new Date(text)).map(({ type, value }) => [type, value]));
    const day = language === 'en' ? `${part.year}-${part.month}-${part.day}` : `${part.day}/${part.month}/${part.year}`;
    last = [text, `${day} ${part.hour}:${part.minute}`];
    return last[1];
  };
}

/** The outputs of a version that are numbers with decimals, each version asked for once. */
function openNumbers(client: Lastro): (model: string, version: string) => Promise<ReadonlySet<string>> {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const read = async (model: string, version: string): Promise<ReadonlySet<string>> => {
    const { outputs } = await client.models.versions.get(model, version);
    return new Set(outputs.flatMap(({ name, type }) => (type === 'number' ? [name] : [])));
  };
  return (model, version) => {
    const found = known.get(version) ?? read(model, version);
    known.set(version, found);
    return found;
  };
}
