import { changedReads, type ReadChange } from '../../ml/contract/changed-reads.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';

/**
 * What of the tables and columns that are read by one stored contract each of others takes away or changes; see
 * `changedReads`. Throws Failure 'invalid' where one is damaged.
 */
export async function compareReads({
  learned,
  others,
  reads,
}: {
  readonly learned: string;
  readonly others: readonly string[];
  readonly reads: readonly string[];
}): Promise<readonly (readonly ReadChange[])[]> {
  const before = parseStoredContract(learned, 'the contract of the version');
  return others.map((other) => changedReads(before, parseStoredContract(other, 'a later contract'), reads));
}
