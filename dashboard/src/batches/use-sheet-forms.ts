import { useSession } from '../api/session.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Batch } from './batch.ts';
import type { Forms } from './sheet-form.ts';
import { batchWords } from './words.ts';

/** How a result of a batch is written, and how people read it in a spreadsheet in the language of the page. */
export function useSheetForms(): (batch: Batch) => Forms {
  const w = useWords(batchWords);
  const c = useWords(common);
  const { language } = useFormat();
  const { workspace } = useSession();
  const words = { bands: c.bands, rowCodes: w.rowCodes };
  return ({ csv_dialect: dialect, column_mapping: columns, reference_column: reference }) => ({
    ...{ dialect, language, timeZone: workspace!.time_zone, words },
    own: { ...columns, ...(reference && { reference_id: reference }) },
  });
}
