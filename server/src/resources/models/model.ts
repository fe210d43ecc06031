import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Aliases, Models, ModelVersions } from '../../schema/tables.ts';
import { aliasExample, modelExample, versionExample, versionSummaryExample } from './example.ts';

export type ModelRow = Selectable<Models>;
export type VersionRow = Selectable<ModelVersions>;
export type AliasRow = Selectable<Aliases>;

export type StoredModelVersion = {
  readonly id: string;
  readonly prefix: string;
  /** SHA-256 of each file, by name. */
  readonly files: Readonly<Record<string, string>>;
};

const fieldSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ enum: ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'] }),
    required: Type.Boolean(),
    description: Type.String(),
    format: Type.Optional(Type.String()),
    unit: Type.Optional(Type.String()),
    example: Type.Optional(Type.Unknown()),
    enum: Type.Optional(Type.Array(Type.String())),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    pii: Type.Boolean({ description: 'Says something of a person.' }),
    importance: Type.Optional(Type.Number({ description: "Share of the model's gain, 0 to 1." })),
    source: Type.Optional(objectOf('FieldSource', { table: Type.String(), column: Type.String() })),
  },
  { title: 'ModelField', additionalProperties: true },
);

export const aliasSchema = answerOf('Alias', aliasExample, {
  model_id: Type.String(),
  alias: Type.String(),
  version_id: Type.String(),
  updated_at: Type.String(),
});

export const modelSchema = answerOf('Model', modelExample, {
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  task_id: Type.String(),
  aliases: Type.Array(objectOf('ModelAlias', { alias: Type.String(), version_id: Type.String() })),
  created_at: Type.String(),
});

const versionSummary = {
  id: Type.String(),
  version_id: Type.String(),
  model_id: Type.String(),
  number: Type.Integer(),
  status: Type.String({ enum: ['validating', 'active', 'inactive'] }),
  aliases: Type.Array(Type.String()),
  training_run_id: Type.String(),
  snapshot_id: Type.String(),
  contract_id: Type.String(),
  gfm_version_id: nullable(
    Type.String({
      description: 'The version of the graph model that it reads, whichever the workspace has adopted since.',
    }),
  ),
  created_at: Type.String(),
};

export const versionSummarySchema = answerOf('ModelVersionSummary', versionSummaryExample, versionSummary);

export const versionSchema = answerOf('ModelVersion', versionExample, {
  ...versionSummary,
  inputs: Type.Array(fieldSchema),
  outputs: Type.Array(fieldSchema),
  metrics: Type.Unknown({ description: 'How good each output was on rows later than what was learned from.' }),
});

export function presentModel(row: ModelRow, aliases: readonly AliasRow[]) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    task_id: row.task_id,
    aliases: aliases
      .filter(({ model_id }) => model_id === row.id)
      .map(({ alias, version_id }) => ({ alias, version_id })),
    created_at: row.created_at.toISOString(),
  };
}

export function presentVersion(row: VersionRow, aliases: readonly AliasRow[]) {
  return {
    id: row.id,
    version_id: row.id,
    model_id: row.model_id,
    number: row.number,
    status: row.status,
    aliases: aliases.filter(({ version_id }) => version_id === row.id).map(({ alias }) => alias),
    training_run_id: row.training_run_id,
    snapshot_id: row.snapshot_id,
    contract_id: row.contract_id,
    gfm_version_id: row.gfm_version_id,
    created_at: row.created_at.toISOString(),
    // These were stored as `fieldSchema` describes them, so the cast holds.
    inputs: row.inputs as never[],
    outputs: row.outputs as never[],
    metrics: row.metrics,
  };
}

export function presentAlias(row: AliasRow) {
  return {
    model_id: row.model_id,
    alias: row.alias,
    version_id: row.version_id,
    updated_at: row.updated_at.toISOString(),
  };
}
