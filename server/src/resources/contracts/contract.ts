import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import type { Contracts } from '../../schema/tables.ts';
import { contractExample } from './example.ts';

export type ContractRow = Selectable<Contracts>;

export const contractSchema = answerOf('Contract', contractExample, {
  id: Type.String(),
  number: Type.Integer({ description: 'Counts the versions of this workspace from 1.' }),
  status: Type.String({ enum: ['proposed', 'active', 'superseded', 'rejected'] }),
  document: Type.String({ description: 'The contract in YAML: a subset of the Open Data Contract Standard.' }),
  base_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The contract that was active when it was proposed; it can be accepted as long as that is active.',
  }),
  changes: Type.Array(Type.Unknown(), {
    description:
      'Against that contract; of one inferred from the first files, what was found and why (reason, and because as codes with their values), whether it is in the contract (applied) or only a remark, and what was seen of its column (seen: rows, those filled, distinct values, and examples of dates and numbers; never of keys, references or personal data).',
  }),
  ingestion_id: Type.Union([Type.String(), Type.Null()], { description: 'The ingestion whose files ask for it.' }),
  created_at: Type.String(),
  accepted_at: Type.Union([Type.String(), Type.Null()]),
});

export function presentContract(row: ContractRow) {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    document: row.document,
    base_id: row.base_id,
    changes: row.changes as unknown[],
    ingestion_id: row.ingestion_id,
    created_at: row.created_at.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
  };
}
