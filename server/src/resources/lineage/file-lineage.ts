import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { fileLineageExample } from './example.ts';
import { lookedAtMax, readersMax } from './sql.ts';

const counted = objectOf('ReaderCount', {
  count: Type.Integer(),
  is_whole: Type.Boolean({ description: `false: of the newest ${lookedAtMax} that were looked at.` }),
});

/** What a file was read by. */
export const fileLineageSchema = answerOf('FileLineage', fileLineageExample, {
  file_id: Type.String(),
  path: Type.String(),
  ingestions: Type.Array(
    objectOf('FileIngestion', {
      id: Type.String(),
      table: Type.String(),
      mode: Type.String(),
      created_at: Type.String(),
      snapshot_id: nullable(Type.String({ description: 'That it made, or found to have all of it already.' })),
      rows: nullable(Type.Integer({ description: 'Rows of the file that were new or changed; null: not reported.' })),
    }),
    { description: `Those that took it in, newest first; ${readersMax} at most.` },
  ),
  snapshots: objectOf(
    'FileSnapshots',
    {
      count: Type.Integer(),
      first_id: nullable(Type.String()),
      last_id: nullable(Type.String()),
      is_current: Type.Boolean({ description: 'Whether what is served now has rows of it.' }),
    },
    { description: 'Those that have rows of it.' },
  ),
  tasks: Type.Array(
    objectOf('FileTask', {
      id: Type.String(),
      name: Type.String(),
      part: Type.String({ description: 'train or validation.' }),
    }),
    { description: `Tasks whose labels it has; ${readersMax} at most.` },
  ),
  predictions: counted,
  batches: counted,
  scored_in: counted,
  evaluated_in: counted,
  data: Type.Array(
    objectOf('FileVersion', {
      model_id: Type.String(),
      model_name: Type.String(),
      version_id: Type.String(),
      number: Type.Integer(),
      status: Type.String(),
      snapshot_id: Type.String(),
      read_as: Type.Array(Type.String({ enum: ['tables', 'labels'] })),
      created_at: Type.String(),
      predictions: counted,
    }),
    { description: 'Versions that learned from it.' },
  ),
  next_cursor: nullable(Type.String()),
  has_more: Type.Boolean(),
});
