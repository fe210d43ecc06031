import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { listedRowsMax } from '../../ml/inference/lineage.ts';
import { predictionLineageExample } from './example.ts';

const day = (description: string) => nullable(Type.String({ description }));

const place = {
  table: Type.String({
    description: 'As the contract of the version names it; @labels: the outcomes it learned from.',
  }),
  kind: Type.String({
    enum: ['data', 'request', 'labels', 'values'],
    description:
      'data: a row that a file brought. request: the row that was asked about, as it was sent. labels: a known outcome. values: what stands for all rows with a text, or for two rows together.',
  }),
  key: nullable(
    Type.String({
      description:
        'Of several columns, their values with commas between. Null where the table has none, where it says who a person is and was not asked about, and where it was erased.',
    }),
  ),
  row: nullable(Type.Integer({ description: 'Of its table: the same in every answer from the data of snapshot_id.' })),
  date: day('When it happened, on the clocks of the workspace: a day, or a moment where that is known.'),
  is_erased: Type.Boolean({
    description: 'Whether it names somebody who was erased: nothing else is told of it then.',
  }),
};

const source = {
  ingestion_id: nullable(Type.String({ description: 'Which brought it; null where that is not kept.' })),
  file_id: nullable(Type.String({ description: 'Null without the right to view files.' })),
  path: nullable(Type.String({ description: 'Of the file.' })),
  row_number: nullable(
    Type.Integer({
      description: 'In the file, from 1 for the first row of data; null where only some of its rows were new.',
    }),
  ),
};

const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const rowSchema = objectOf('LineageRow', {
  ...place,
  role: Type.String({
    enum: ['read', 'compared', 'own', 'leads'],
    description:
      'read: what is aggregated. compared: what that is held against, as the year around a season. own: the own value of the row asked about, where it is held against others. leads: its reference leads to a row that is read.',
  }),
  subject: Type.Integer({ description: 'The place in subjects, from 0, of the row for which it is read.' }),
  known_at: day('Since when it was known to say this; null: always.'),
  column: nullable(Type.String({ description: 'What is read of it; null where it only counts.' })),
  value: { ...value, description: 'Null where it only counts, and without the right to download files.' },
  held_by: nullable(
    objectOf(
      'LineageHolder',
      { ...place, ...source },
      {
        description: 'The row in which the value stands, where this one leads to it.',
      },
    ),
  ),
  ...source,
});

const featureSchema = objectOf('LineageFeature', {
  code: Type.String(),
  description: Type.String({ description: 'In the language asked for, or that of the workspace.' }),
  path: Type.Unknown({ description: 'Which rows are read, and what of them.' }),
  aggregate: Type.String({ description: 'value of a row of its own, count, mean, share, …' }),
  span: nullable(Type.String({ description: '90d, last 5, all, …; null where nothing is aggregated over a span.' })),
  contribution: Type.Number({ description: 'To the margin of the model.' }),
  value: nullable(
    Type.Number({ description: 'What was computed, before models round it; null: missing, or a vector of many.' }),
  ),
  subjects: Type.Array(
    objectOf('LineageSubject', {
      ...place,
      weight: Type.Number({ description: 'Its share in the value; of two that are set against each other 1 and -1.' }),
      value: nullable(Type.Number({ description: 'What is read of it alone.' })),
    }),
    {
      description:
        'The rows whose state is read: the one asked about, one reached from it, or several, of whom value is the mean.',
    },
  ),
  whole: nullable(
    objectOf(
      'LineageWhole',
      {
        table: Type.String(),
        rows: Type.Integer(),
        from: day('Of the first of them.'),
        until: day('Of the last.'),
        mean: nullable(Type.Number({ description: 'Of a smoothed mean, what it is drawn to.' })),
      },
      { description: 'Rows that are read together and not listed one by one: those of everybody.' },
    ),
  ),
  rows_count: Type.Integer(),
  is_truncated: Type.Boolean({ description: `Whether only the first ${listedRowsMax} rows are listed on the pages.` }),
  rows: Type.Array(rowSchema, { description: 'Those on this page, the newest of each subject first.' }),
});

/** From which rows the factors of an answer were computed. */
export const predictionLineageSchema = answerOf('PredictionLineage', predictionLineageExample, {
  prediction_id: Type.String(),
  model_id: Type.String(),
  version_id: Type.String(),
  snapshot_id: Type.String(),
  as_of: Type.String(),
  factors: Type.Array(
    objectOf('LineageFactor', {
      code: Type.String(),
      text: Type.String(),
      contribution: Type.Number(),
      effect: Type.Number(),
      features: Type.Integer({ description: 'Of how many features it is the sum.' }),
      rows: Type.Integer({ description: 'From how many rows these were computed, those of several counted for each.' }),
    }),
    {
      description:
        'Largest effect first: more of them than the answer told. Of factor, those alone that have its code.',
    },
  ),
  data: Type.Array(featureSchema, {
    description:
      'The features of factor, what moved the answer most first: each on every page, with those of its rows that are on this one.',
  }),
  are_values_hidden: Type.Boolean({ description: 'Whether values are null for want of the right to download files.' }),
  next_cursor: nullable(Type.String()),
  has_more: Type.Boolean(),
});
