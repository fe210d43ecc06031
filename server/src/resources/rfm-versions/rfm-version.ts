import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { RfmVersions } from '../../schema/tables.ts';
import { rfmVersionExample } from './example.ts';

export type RfmVersionRow = Selectable<RfmVersions>;

export const rfmVersionSchema = answerOf('RfmVersion', rfmVersionExample, {
  id: Type.String({ description: 'Also the model_snapshot of its vectors.' }),
  entity: Type.String({ description: 'The table of the entities that it embeds.' }),
  number: Type.Integer(),
  parent_id: nullable(Type.String({ description: 'The version that a run fine-tuned to make this one.' })),
  gfm_version_id: nullable(Type.String({ description: 'The version of the graph model that it is composed with.' })),
  training_run_id: Type.String(),
  snapshot_id: Type.String(),
  contract_id: Type.String(),
  report: Type.Unknown({
    description: 'How well each head predicts what events did next, on moments later than what was learned from.',
  }),
  created_at: Type.String(),
});

export function presentRfmVersion(row: RfmVersionRow) {
  return {
    id: row.id,
    entity: row.entity,
    number: row.number,
    parent_id: row.parent_id,
    gfm_version_id: row.gfm_version_id,
    training_run_id: row.training_run_id,
    snapshot_id: row.snapshot_id,
    contract_id: row.contract_id,
    report: row.report,
    created_at: row.created_at.toISOString(),
  };
}
