import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { type LabelledVersion, labelledColumns } from '../../ml/evaluation/labelled-columns.ts';
import { textOfDay } from '../../ml/tasks/target.ts';
import { programFile } from '../../ml/version/report-file.ts';
import type { App } from '../app.ts';
import { labelledFileExample } from './example.ts';
import type { VersionRow } from './model.ts';
import { requireVersion } from './require.ts';

export const labelledFileSchema = answerOf('LabelledFile', labelledFileExample, {
  model_id: Type.String(),
  version_id: Type.String(),
  newest_label: nullable(
    Type.String({
      description: 'The day of the newest label that was learned from: figures of rows up to it flatter.',
    }),
  ),
  columns: Type.Array(
    objectOf('LabelledColumn', {
      name: Type.String(),
      role: Type.String({
        enum: ['key', 'time', 'label', 'known', 'input'],
        description:
          'time: the moment of which a row is predicted; known: since when its label is known; input: what a new row brings that the tables do not have.',
      }),
      output: nullable(Type.String({ description: 'The output that a label is of.' })),
      type: Type.String({
        enum: ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time', 'array'],
      }),
      format: Type.Optional(Type.String()),
      required: Type.Boolean({
        description:
          'Labels that the task makes from the tables need no column. New rows bring their key or their inputs.',
      }),
      aliases: Type.Optional(Type.Array(Type.String(), { description: 'Other names under which a file may have it.' })),
      sample: Type.String({ description: 'A value as a file may write it; empty where none is known.' }),
    }),
  ),
});

const dayMicroseconds = 86_400_000_000;
const exampleDay = '2024-12-31';

/**
 * The columns of a labelled file, by which a version of a model, named by its id or name, can be evaluated. Throws
 * Failure 'not_found', 'object_damaged'.
 */
export async function labelledFile(app: App, ctx: Context, model: string, name: string) {
  const version = await tenant(app.db, ctx, (tx) => requireVersion(tx, model, name));
  const { newest, columns } = await readLabelledColumns(app, version);
  return {
    model_id: version.model_id,
    version_id: version.id,
    newest_label: newest === null ? null : textOfDay(newest),
    columns,
  };
}

/**
 * The columns of a labelled file of a version, and the moment of the newest label that it learned from, in
 * microseconds. Throws Failure 'object_damaged'.
 */
export async function readLabelledColumns(app: App, { storage_prefix, files }: Stored) {
  const path = await app.storage.localPath(`${storage_prefix}${programFile}`, files[programFile]);
  const stored = JSON.parse(await readFile(path, 'utf8')) as StoredVersion;
  const outputs = stored.outputs.map(({ name, objective, aim }) => ({ name, objective: (objective ?? aim)! }));
  const newest = stored.newestLabel ?? null;
  const moment = newest === null ? exampleDay : textOfDay(newest + dayMicroseconds);
  return { newest, columns: labelledColumns({ ...stored, outputs }, moment) };
}

type Stored = Pick<VersionRow, 'storage_prefix' | 'files'>;

/** Our own file. `aim`: the objective, in versions of earlier releases. */
type StoredVersion = Omit<LabelledVersion, 'outputs'> & {
  readonly outputs: readonly {
    readonly name: string;
    readonly objective?: LabelledVersion['outputs'][number]['objective'];
    readonly aim?: LabelledVersion['outputs'][number]['objective'];
  }[];
};
