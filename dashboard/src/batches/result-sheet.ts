import type { Lastro } from '@lastro/sdk';
import type { Batch } from './batch.ts';
import { asSheet, type Forms } from './sheet-form.ts';
import { openResult } from './whole-result.ts';

/** A file of a result as people read it in a spreadsheet. Loaded where somebody wants one. */
export async function resultSheet(client: Lastro, batch: Batch, fileId: string, forms: Forms): Promise<Blob> {
  const whole = await openResult(client, batch, batch.files.find(({ file_id }) => file_id === fileId)!);
  return asSheet(client, whole!, forms);
}
