import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { becauseSchema } from '../../api/because.ts';
import { createdBySchema, presentCreator } from '../../api/created-by.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { factorsFields, jsonFormat } from '../../ml/kinds/fields.ts';
import type { Aliases, AliasSplits, Models, ModelVersions, TrainingRuns } from '../../schema/tables.ts';
import { languageText } from '../workspaces/workspace.ts';
import { aliasExample, featureExample, modelExample, versionExample, versionSummaryExample } from './example.ts';
import { inputChangeSchema } from './input-changes.ts';

export type ModelRow = Selectable<Models>;
export type VersionRow = Selectable<ModelVersions>;
export type AliasRow = Selectable<Aliases>;
export type SplitRow = Selectable<AliasSplits>;
/** An alias with its split; null without one. */
export type ListedAlias = AliasRow & {
  readonly split_version_id: string | null;
  readonly split_share: number | null;
};
/** A version with what its training run was asked for. */
export type VersionWithOrigin = VersionRow &
  Pick<Selectable<TrainingRuns>, (typeof originColumns)[number]> & {
    readonly snapshot_created_at: Date;
    readonly ingestion_id: string | null;
  };
export const originColumns = ['actor_type', 'actor_id', 'created_by', 'data_until', 'pretrain', 'feedback'] as const;

export const dataUntilSchema = nullable(
  Type.String({
    description: 'The newest day with an event in these data, which may lie ahead. Null: none, or not kept.',
  }),
);

/** The schema of what names a model in a path, a query or a body. */
export function modelName() {
  return Type.String({ description: 'Id or name of a model.' });
}

export type StoredModelVersion = {
  readonly id: string;
  readonly prefix: string;
  /** SHA-256 of each file, by name. */
  readonly files: Readonly<Record<string, string>>;
};

const fieldSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.String({
      enum: ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time', 'array'],
      description: 'Of the value in JSON. An array is a JSON text in the files of batches.',
    }),
    items: Type.Optional(objectOf('FieldItems', { type: Type.String({ enum: ['string', 'object'] }) })),
    required: Type.Boolean(),
    nullable: Type.Optional(
      Type.Boolean({ description: 'Of a required input: null says that it is not known, and is taken.' }),
    ),
    dates_row: Type.Optional(
      Type.String({
        enum: ['past', 'any'],
        description:
          'Of the column that dates a new row: it is required unless reference_date is given. past: its day must have come; any: it is planned, or names the row that has the date.',
      }),
    ),
    description: Type.String(),
    format: Type.Optional(Type.String()),
    time_zone: Type.Optional(
      Type.String({
        description:
          'Of a timestamp: values with an offset (…Z, …-03:00) are read as what the clocks of this zone show then. Values without an offset are what they show.',
      }),
    ),
    decimal_separator: Type.Optional(
      Type.String({
        enum: [','],
        description: 'Of a number: texts, in files and in JSON, write it as 1.234,56. A number of JSON is what it is.',
      }),
    ),
    unit: Type.Optional(Type.String()),
    example: Type.Optional(Type.Unknown()),
    enum: Type.Optional(Type.Array(Type.String())),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    pii: Type.Boolean({ description: 'Says something of a person.' }),
    importance: Type.Optional(Type.Number({ description: "Share of the model's importance, 0 to 1." })),
    aliases: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Other names under which a row may have it, by the contract that it was trained with. Those of the contract of the newest data are taken too.',
      }),
    ),
    source: Type.Optional(objectOf('FieldSource', { table: Type.String(), column: Type.String() })),
  },
  { title: 'ModelField', additionalProperties: true },
);

/** What a version or a run says that a person should look at. */
export const warningSchema = Type.Object(
  {
    code: Type.String({
      description:
        'possible_leakage: a column may tell the label; implausibly_good: the whole model is too good to be true; no_better_than_naive: it is not surely better than what takes no learning; worse_than_naive: it is surely worse than that; poorly_calibrated: its probabilities were wrong by more than chance on later rows; calibration_unknown: too few later rows could tell whether they are right; data: something odd in what it was given; inputs_changed: the alias of the run was not moved, as callers of the version behind it would be refused; alias_held_back: it was not moved, as what the version is judged by is surely worse than what takes no learning; gates_failed: it was not moved, as the version does not pass the gates of the model.',
    }),
    message: Type.String(),
    output: Type.Optional(Type.String({ description: 'The output it is of; absent where it is of all.' })),
    carriers: Type.Optional(
      Type.Array(
        objectOf('WarningCarrier', {
          at: Type.String({ description: 'table.column, or a table whose rows are counted.' }),
          importance: Type.Number({ description: "Share of the model's gain, 0 to 1." }),
          description: nullable(Type.String()),
        }),
        { description: 'What an implausibly good model rests on, most important first.' },
      ),
    ),
    because: Type.Optional(becauseSchema),
    inputs: Type.Optional(
      Type.Array(inputChangeSchema, {
        description: 'By which callers would be refused, where the alias was not moved.',
      }),
    ),
  },
  { title: 'ModelWarning' },
);

export const featureSchema = answerOf('ModelFeature', featureExample, {
  code: nullable(Type.String({ description: 'The code of its reasons; null where it is protected.' })),
  importance: Type.Number({ description: "Share of the model's gain; those of all features sum to 1." }),
  coverage: Type.Number({ description: 'Share of the training rows that have a value.' }),
  description: nullable(Type.String({ description: 'In words; null where it is protected.' })),
  language: Type.Union(languageText.anyOf, {
    description: 'Of the description: the one asked for, or en of a version that was made when there was no other.',
  }),
  protected: Type.Boolean({ description: 'Whether it reads a protected or personal column.' }),
  path: Type.Array(Type.String(), {
    description: 'The references from the row that is predicted for to the rows that are read, as table.column.',
  }),
  table: nullable(Type.String({ description: 'The table whose rows are read; @labels: earlier labels.' })),
  columns: Type.Array(Type.String(), { description: 'The columns whose values are read, as table.column.' }),
  span: nullable(
    Type.String({
      description: '90d: the last 90 days; 90d, 364d before: 90 days, 52 weeks before; last 5: the newest five; all.',
    }),
  ),
  aggregate: Type.String({ description: "How values become one: value (the row's own), count, mean, share, …" }),
});

/** Most characters of a reason or a comment. */
export const reasonMax = 2_000;

export const gatesOverride = Type.Object(
  {
    reason: Type.String({
      ...{ minLength: 10, maxLength: reasonMax },
      description: 'Why it is done all the same; the trail keeps it.',
    }),
  },
  {
    title: 'GatesOverride',
    additionalProperties: false,
    description:
      'Of a Creator: gives the alias, or a share of it, to a version that does not pass the gates of its model.',
  },
);

const splitOf = Type.Optional(
  objectOf(
    'SplitOf',
    { version_id: Type.String(), share: Type.Number() },
    { description: 'The version that answers a share of it; absent where it is not split.' },
  ),
);

export const aliasSchema = answerOf('Alias', aliasExample, {
  model_id: Type.String(),
  alias: Type.String(),
  version_id: Type.String(),
  split: splitOf,
  updated_at: Type.String(),
});

/** An alias that has been set. */
export const setAliasSchema = answerOf(
  'SetAlias',
  { ...aliasExample, input_changes: [] },
  {
    model_id: Type.String(),
    alias: Type.String(),
    version_id: Type.String(),
    updated_at: Type.String(),
    input_changes: Type.Array(inputChangeSchema, {
      description: 'By which callers of the version before would be refused now.',
    }),
  },
);

export const modelSchema = answerOf('Model', modelExample, {
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  task_id: Type.String(),
  aliases: Type.Array(objectOf('ModelAlias', { alias: Type.String(), version_id: Type.String(), split: splitOf })),
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
  snapshot_id: Type.String({ description: 'The data that it was learned from.' }),
  snapshot_created_at: Type.String({ description: 'When these data were taken in.' }),
  ingestion_id: nullable(
    Type.String({
      description: 'The ingestion that these data are the result of; null where an erasure or a command is.',
    }),
  ),
  data_until: dataUntilSchema,
  contract_id: Type.String(),
  contract_number: Type.Integer({ description: 'The number of the contract that it was learned under.' }),
  gfm_version_id: nullable(
    Type.String({
      description: 'The version of the graph model that it reads, whichever the workspace has adopted since.',
    }),
  ),
  pretrain: Type.Boolean({ description: 'Whether an encoder was pre-trained for it first.' }),
  feedback: Type.Boolean({ description: 'Whether the encoder that it reads was fine-tuned on its labels.' }),
  created_by: createdBySchema,
  created_at: Type.String(),
};

export const versionSummarySchema = answerOf('ModelVersionSummary', versionSummaryExample, versionSummary);

export const versionSchema = answerOf('ModelVersion', versionExample, {
  ...versionSummary,
  inputs: Type.Array(fieldSchema),
  outputs: Type.Array(fieldSchema),
  metrics: Type.Unknown({ description: 'How good each output was on rows later than what was learned from.' }),
  warnings: Type.Array(warningSchema, { description: 'What a person should look at before trusting it.' }),
});

export function presentModel(row: ModelRow, aliases: readonly ListedAlias[]) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    task_id: row.task_id,
    aliases: aliases
      .filter(({ model_id }) => model_id === row.id)
      .map((own) => ({ alias: own.alias, version_id: own.version_id, ...presentSplitOf(own) })),
    created_at: row.created_at.toISOString(),
  };
}

export function presentVersion(row: VersionWithOrigin, aliases: readonly AliasRow[]) {
  return {
    id: row.id,
    version_id: row.id,
    model_id: row.model_id,
    number: row.number,
    status: row.status,
    aliases: aliases.filter(({ version_id }) => version_id === row.id).map(({ alias }) => alias),
    training_run_id: row.training_run_id,
    snapshot_id: row.snapshot_id,
    snapshot_created_at: row.snapshot_created_at.toISOString(),
    ingestion_id: row.ingestion_id,
    data_until: row.data_until,
    contract_id: row.contract_id,
    contract_number: row.contract_number,
    gfm_version_id: row.gfm_version_id,
    pretrain: row.pretrain,
    feedback: row.feedback,
    created_by: presentCreator(row),
    created_at: row.created_at.toISOString(),
    // These were stored as the version's fields, so the casts hold.
    inputs: row.inputs as never[],
    outputs: (row.outputs as StoredField[]).map(presentField) as never[],
    metrics: row.metrics,
    warnings: row.warnings,
  };
}

type StoredField = Readonly<Record<string, unknown>> & { readonly format?: string; readonly example?: unknown };

/** A field as JSON answers hold it. It is stored as files hold it: a list is a text with the format `json`. */
function presentField({ format, ...field }: StoredField): object {
  if (format !== jsonFormat) return format === undefined ? field : { ...field, format };
  const example: unknown = typeof field.example === 'string' ? JSON.parse(field.example) : [];
  const isOfTexts = factorsFields.some((name) => name === field.name);
  return { ...field, type: 'array', items: { type: isOfTexts ? 'string' : 'object' }, example };
}

export function presentAlias(row: AliasRow) {
  return {
    model_id: row.model_id,
    alias: row.alias,
    version_id: row.version_id,
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentSplitOf({ split_version_id: version_id, split_share: share }: ListedAlias) {
  return version_id === null || share === null ? {} : { split: { version_id, share } };
}
