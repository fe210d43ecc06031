import type { Lastro } from '@lastro/sdk';
import type { BatchError } from './batch.ts';

/** Most reasons that are read to be shown, and to be written to a file. */
export const errorsShownMax = 1_000;
const errorsTakenMax = 1_000_000;

export type Reasons = {
  readonly errors: readonly BatchError[];
  /** Whether these are all. */
  readonly isWhole: boolean;
};

export async function readErrors(
  client: Lastro,
  id: string,
  { most = errorsTakenMax, signal }: { readonly most?: number; readonly signal?: AbortSignal } = {},
): Promise<Reasons> {
  const errors: BatchError[] = [];
  for await (const error of client.batches.listErrors(id, { limit: 200 }, { signal })) {
    if (errors.length === most) return { errors, isWhole: false };
    errors.push(error);
  }
  return { errors, isWhole: true };
}
