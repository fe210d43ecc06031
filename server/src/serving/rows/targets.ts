import { assert } from '../../lib/failure.ts';
import type { Rows } from '../../lib/files/column.ts';
import type { OpenVersion } from '../../ml/inference/predict.ts';
import { refused } from './moments.ts';
import type { Refuse } from './problem.ts';

/** A version that can score the rows of a file. */
export type OpenTarget = {
  readonly opened: Pick<OpenVersion, 'version' | 'columns' | 'learnedFrom' | 'predict'>;
  /** Texts that are added to each of its answers, by column. All targets of a file have the same columns here. */
  readonly told: Readonly<Record<string, string>>;
};

/** The versions that score the rows of a file, and how a row names its version. */
export type Targets = {
  readonly targets: readonly OpenTarget[];
  /** The position of each target, by its name in the column `endpoint`; null when the file has no such column. */
  readonly endpoints: Readonly<Record<string, number>> | null;
  /** The position of the target for rows that name none; null when these rows are refused. */
  readonly fallback: number | null;
};

export const endpointColumn = 'endpoint';

/** The position of each row's target, or `refused`. */
export function chooseTargets(rows: Rows, { endpoints, fallback }: Targets, refuse: Refuse): Int32Array {
  const target = new Int32Array(rows.rows).fill(fallback ?? refused);
  if (endpoints === null) return target;
  const column = rows.columns.get(endpointColumn);
  assert(column?.kind === 'text', 'endpoints are texts');
  const known = column.dictionary.map((name) => (Object.hasOwn(endpoints, name) ? endpoints[name] : refused));
  for (let row = 0; row < rows.rows; row++) {
    const code = column.codes[row];
    if (code >= 0) target[row] = known[code];
    if (target[row] !== refused) continue;
    if (code < 0) refuse(row, endpointColumn, 'missing_input', { code: 'no_target' });
    else refuse(row, endpointColumn, 'unknown_endpoint', { code: 'unknown_target', target: column.dictionary[code] });
  }
  return target;
}
