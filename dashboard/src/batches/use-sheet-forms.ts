import { useSession } from '../api/session.tsx';
import { common } from '../words/common.ts';
import { type Language, languages } from '../words/language.ts';
import type { Batch } from './batch.ts';
import type { Forms } from './sheet-form.ts';
import { batchWords } from './words.ts';

/** Those of the languages of spreadsheets, that of the page first. */
export const sheetLanguages = (language: Language): readonly Language[] =>
  languages.map(({ value }) => value).sort((one, other) => Number(other === language) - Number(one === language));

/** How a result of a batch is written, and how people read it in a spreadsheet of a language. */
export function useSheetForms(): (batch: Batch, language: Language) => Forms {
  const { workspace } = useSession();
  return ({ csv_dialect: dialect, column_mapping: columns, reference_column: reference }, language) => ({
    ...{ dialect, language, timeZone: workspace!.time_zone },
    words: { bands: common[language].bands, rowCodes: batchWords[language].rowCodes },
    own: { ...columns, ...(reference && { reference_id: reference }) },
  });
}
