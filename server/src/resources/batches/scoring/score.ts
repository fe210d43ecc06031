import { assert } from '../../../lib/failure.ts';
import { type Rows, sameText } from '../../../lib/files/column.ts';
import type { Chunk, ColumnRequest } from '../../../lib/files/read.ts';
import type { WriteColumn } from '../../../lib/files/writer.ts';
import { instantsOf } from '../../../lib/time-zone.ts';
import { echoed } from '../../../ml/version/schema.ts';
import { factorsTold } from '../../../serving/answer.ts';
import { answerColumns, gather, onlyOf } from './answers.ts';
import { askedOf, type Part, partOf, planInputs } from './inputs.ts';
import { type Clock, dayColumn, openMoments } from './moments.ts';
import { type Refuse, type RowError, tellReject } from './row-error.ts';
import { chooseTargets, endpointColumn, type OpenTarget, type Targets } from './targets.ts';

export type ScoreOptions = Targets &
  Clock & {
    readonly language: 'en' | 'pt-BR';
    /** Whether answers come with their bounds. */
    readonly interval?: boolean;
  };

export type Scored = {
  /** The rows with an answer, in order. */
  readonly rows: Rows;
  /** In order of row. A row may have several. */
  readonly errors: readonly RowError[];
  /** Rows without an answer. */
  readonly failed: number;
};

export type Scorer = {
  /** What to read of the file. */
  readonly requests: readonly ColumnRequest[];
  /** Of the answer, in order. */
  readonly columns: readonly WriteColumn[];
  score(chunk: Chunk): Scored;
};

/**
 * Scores rows of one file for one or several versions. The answer to a row is what the real-time route answers to it at
 * the same moment. `has` says whether the file has a column, whatever its case.
 * Throws Failure 'invalid' when versions of one file give a column different types.
 */
export function openScorer(options: ScoreOptions, has: (column: string) => boolean): Scorer {
  const { targets, endpoints } = options;
  const inputs = planInputs(targets, has);
  const columns = answerColumns(targets, options.interval ?? false);
  const momentsOf = openMoments(options);
  const requests: ColumnRequest[] = [
    ...(endpoints === null ? [] : [{ name: endpointColumn, type: 'string' as const }]),
    ...[dayColumn, ...echoed]
      .filter(has)
      .map((name): ColumnRequest => ({ name, type: name === dayColumn ? 'date' : 'string', isStrict: true })),
    ...inputs.values(),
  ];
  return {
    requests,
    columns,
    score(chunk) {
      const { rows, rowNumbers } = chunk;
      const errors = chunk.rejects.map(tellReject);
      const refuse: Refuse = (row, column, code, message) =>
        void errors.push({ row: rowNumbers[row], column, code, message });
      const target = chooseTargets(rows, options, refuse);
      const moments = momentsOf(rows, target, refuse);
      const parts = targets.flatMap((to, index) => {
        const part = partOf(index, target, rows, moments);
        if (part === null) return [];
        const asked = askedOf(to.opened, inputs, part, refuse);
        return asked.positions.length === 0
          ? []
          : [{ positions: asked.positions, answer: answerOf(to, asked, options) }];
      });
      errors.sort((a, b) => a.row - b.row);
      const failed = new Set(errors.map(({ row }) => row)).size;
      return { rows: targets.length === 1 ? onlyOf(parts) : gather(parts, columns), errors, failed };
    },
  };
}

function answerOf({ modelId, versionId, opened }: OpenTarget, { rows, moments }: Part, options: ScoreOptions): Rows {
  const answer = opened.predict(rows, {
    asOf: moments,
    dataUntil: moments,
    factors: factorsTold,
    language: options.language,
    ...(options.interval ? { interval: true } : {}),
  });
  const columns = new Map(answer.columns);
  const asOf = columns.get('as_of');
  assert(asOf?.kind === 'time', 'an answer says as of when it is');
  columns.set('as_of', { kind: 'time', values: instantsOf(options.timeZone, asOf.values) });
  columns.set('model_id', sameText(rows.rows, modelId));
  columns.set('version_id', sameText(rows.rows, versionId));
  return { rows: answer.rows, columns };
}
