import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

/** The answers of one version to an alias, since a prediction id. */
export type Arm = {
  readonly modelId: string;
  readonly alias: string;
  readonly versionId: string;
  readonly since: string;
};

export type ArmCounts = {
  readonly answers: number;
  readonly entities: number;
  readonly bands: readonly { readonly band: string; readonly answers: number }[];
  readonly tenths: readonly { readonly tenth: number; readonly answers: number }[];
};

/** Counts answers, whom they are about, and how they are distributed. */
export async function countArm(
  tx: Tx,
  { workspaceId }: Context,
  { modelId, alias, versionId, since }: Arm,
): Promise<ArmCounts> {
  const { rows } = await sql<ArmCounts>`
    with own as materialized (
      select band, tenth, coalesce(entity_table || ' ' || entity_key, id) as entity from predictions
      where workspace_id = ${workspaceId} and id > ${since} and model_id = ${modelId} and alias = ${alias}
        and version_id = ${versionId})
    select count(*)::int as answers, count(distinct entity)::int as entities,
      coalesce((select json_agg(json_build_object('band', band, 'answers', answers) order by band)
        from (select band, count(*)::int as answers from own where band is not null group by 1) as b), '[]') as bands,
      coalesce((select json_agg(json_build_object('tenth', tenth, 'answers', answers) order by tenth)
        from (select tenth, count(*)::int as answers from own where tenth is not null group by 1) as t), '[]') as tenths
    from own`.execute(tx);
  return rows[0];
}
