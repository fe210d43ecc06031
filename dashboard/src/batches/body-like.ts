import type { Body } from '@lastro/sdk';
import type { Batch } from './batch.ts';

/** A batch of one model, which is what can be asked for again here. */
export type BatchOfModel = Batch & { readonly model: NonNullable<Batch['model']> };

export const isOfModel = (batch: Batch): batch is BatchOfModel => batch.model !== null;

/** What a batch was asked with, once more: by the version that scored it, whichever its alias names by now. */
export function bodyLike(batch: BatchOfModel, change: Partial<Body<'batches.create'>>): Body<'batches.create'> {
  const { model, reference_date: day, output_format: format, reference_column: reference } = batch;
  return {
    files: batch.files.map(({ file_id }) => file_id),
    model: `${model.model_id}/${model.version_id}`,
    ...(day === null ? {} : { reference_date: day }),
    ...(format === null ? {} : { output_format: format as 'csv' }),
    ...(reference === null ? {} : { reference_column: reference }),
    ...{ priority: batch.priority, include: batch.include, column_mapping: batch.column_mapping },
    ...{ csv_formulas: batch.csv_formulas, csv_dialect: batch.csv_dialect },
    ...change,
  };
}
