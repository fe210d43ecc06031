import { useSession } from '../api/session.tsx';
import { type Batch, isOpen } from './batch.ts';
import { BatchErrors } from './batch-errors.tsx';
import { CorrectRows } from './correct-rows.tsx';
import { mistypedRows } from './failed-rows.ts';
import { MistypedRows } from './mistyped-rows.tsx';

/** The rows of a batch with something to correct: those that were left out, and those with a mistyped document. */
export function RowFaults({ batch }: { readonly batch: Batch }) {
  const { can } = useSession();
  const { files, progress, result_deleted_at: deletedAt } = batch;
  const hasErrors = progress.rows.failed > 0 || files.some(({ failure }) => failure);
  const isMistyped = mistypedRows(batch) > 0;
  const isCorrectable =
    !isOpen(batch) &&
    deletedAt === null &&
    (progress.rows.failed > 0 || isMistyped) &&
    (['download_results', 'download_files', 'create_batches'] as const).every(can);
  return (
    <>
      {hasErrors && <BatchErrors batch={batch} />}
      {isMistyped && !isOpen(batch) && deletedAt === null && <MistypedRows batch={batch} />}
      {isCorrectable && <CorrectRows key={batch.id} batch={batch} />}
    </>
  );
}
