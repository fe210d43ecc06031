import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { ValidationReport } from '../../ml/validation/report.ts';
import { record } from '../../trail/record.ts';
import { failedGates, policyOf } from '../models/gates/gates.ts';
import type { ValidationRow } from './validation.ts';

type Validated = Pick<ValidationRow, 'id' | 'model_id' | 'version_id' | 'alias' | 'compare_with_version_id'>;

/** Records what a validation found, with the gates that the version does not pass by now. */
export async function recordVerdict(
  tx: Tx,
  ctx: Context,
  { id, model_id, version_id, alias, compare_with_version_id }: Validated,
  { verdict, checks }: Pick<ValidationReport, 'verdict' | 'checks'>,
): Promise<void> {
  const failed = failedGates(await policyOf(tx, model_id), checks).map(({ gate }) => gate);
  const about = { model_id, validation_id: id, alias, compare_with: compare_with_version_id, verdict, failed };
  await record(tx, ctx, 'model-version-validation', { type: 'model_version', id: version_id }, about);
}
