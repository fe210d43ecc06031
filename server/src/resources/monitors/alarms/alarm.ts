import { Type } from 'typebox';
import { answerOf, objectOf } from '../../../api/named.ts';
import { nullable } from '../../../api/nullable.ts';
import { alarmExample } from '../example.ts';
import type { AlarmRow } from './sql.ts';

/** What is beyond its threshold. */
export type AlarmSignal = {
  readonly name: string;
  readonly kind: string;
  /**
   * Of drift: values, missing or break; of performance: calibration, discrimination or error; of the contract: removed,
   * renamed, retyped or not_sent.
   */
  readonly of: string;
  readonly value: number;
  readonly threshold: number;
  /** Of a column that is of another type: its type; of that, or of what has another name, the new one. */
  readonly before?: string | null;
  readonly after?: string | null;
};

export const alarmSchema = answerOf('ModelAlarm', alarmExample, {
  id: Type.String(),
  model_id: Type.String(),
  version_id: Type.String(),
  kind: Type.String({
    enum: ['drift', 'performance', 'contract'],
    description:
      'contract: a contract, or files that have arrived, take away, rename or retype what a version that an alias leads to reads; or an input is no longer sent.',
  }),
  signals: Type.Array(
    objectOf('AlarmSignal', {
      name: Type.String({
        description: 'A column, a feature in words, or a field of the answer; of a contract table.column, or a table.',
      }),
      kind: Type.String({ enum: ['score', 'input', 'feature', 'unknown', 'outcome', 'column', 'table'] }),
      of: Type.String({
        enum: [
          ...['values', 'missing', 'break', 'calibration', 'discrimination', 'error'],
          ...['removed', 'renamed', 'retyped', 'not_sent'],
        ],
        description:
          'values: their distribution; missing: how much has none; break: the score since the alias was moved, against that of the version before; removed, renamed, retyped: what is read, by a contract; not_sent: an input that none of the newest predictions has.',
      }),
      value: Type.Number({
        description:
          'PSI; of outcomes observed over expected, the AUROC, or the mean absolute error; of a column or table the share of the importance of the version that reads it; of an input not sent the share of predictions that have it.',
      }),
      threshold: Type.Number({
        description: 'Of PSI; of outcomes what the version promised; of an input not sent the share that had it.',
      }),
      before: Type.Optional(nullable(Type.String({ description: 'Of a column that is of another type, its type.' }))),
      after: Type.Optional(
        nullable(Type.String({ description: 'Of what is renamed or of another type, the new name or type.' })),
      ),
    }),
    { description: 'What was beyond its threshold last.' },
  ),
  raised_at: Type.String(),
  cleared_at: nullable(Type.String()),
});

export function presentAlarm(row: AlarmRow) {
  return {
    id: row.id,
    model_id: row.model_id,
    version_id: row.version_id,
    kind: row.kind,
    // What `settle.ts` writes, so that the cast holds.
    signals: row.signals as AlarmSignal[],
    raised_at: row.raised_at.toISOString(),
    cleared_at: row.cleared_at?.toISOString() ?? null,
  };
}
