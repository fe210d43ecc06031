import type { OpenHead } from '../explain/contributions.ts';
import { type Factors, openFactors, type TellFactors } from '../explain/factors.ts';
import { factorsFields } from '../kinds/fields.ts';
import { kindNamed } from '../kinds/kinds.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Version } from '../version/version.ts';

export type TellingOptions = {
  /** Most factors per row. */
  readonly factors: number;
  readonly language: 'en' | 'pt-BR';
};

/** Prepares to explain the rows of a matrix, by the output that decides. `heads`: one per output. */
export function openTelling(
  version: Version,
  heads: readonly OpenHead[],
): (matrix: FeatureMatrix, wanted: TellingOptions) => Factors[] {
  const opened = new Map<string, TellFactors>();
  return (matrix, wanted) => {
    // Prepared tellers are cached: preparing one costs as much as explaining a few rows.
    const key = `${wanted.factors} ${wanted.language}`;
    let tell = opened.get(key);
    if (!tell) opened.set(key, (tell = tellFor(version, wanted)));
    return tellRows(tell, heads[deciding(version)], matrix);
  };
}

/** Whether the answers have a field for factors. */
export function tellsFactors({ outputFields }: Version): boolean {
  return outputFields.some(({ name }) => factorsFields.some((field) => field === name));
}

/** Whether rows can be explained. Multiclass outputs cannot: contributions exist for heads with one output only. */
export function canExplain(version: Version): boolean {
  return version.outputs[deciding(version)].objective.kind !== 'multiclass';
}

/** One reason for an answer, as returned to callers who ask for an explanation. */
export type ExplainedFactor = Pick<
  Factors['factors'][number],
  'code' | 'group' | 'contribution' | 'value' | 'usual' | 'path' | 'text'
>;

/** The factors of a row as a JSON list of `ExplainedFactor`. */
export function explanationText({ factors }: Factors): string {
  return JSON.stringify(
    factors.map(
      ({ code, group, contribution, value, usual, path, text }): ExplainedFactor => ({
        code,
        group,
        contribution,
        value,
        usual,
        path,
        text,
      }),
    ),
  );
}

/** The output that factors explain: the first head, or else the longest horizon, from which the score is computed. */
function deciding({ task, outputs }: Version): number {
  return task.heads ? 0 : outputs.length - 1;
}

function tellFor({ features, usual, contract, task }: Version, { factors, language }: TellingOptions): TellFactors {
  const { higherIsWorse } = kindNamed(task.kind);
  return openFactors(usual, features, contract, {
    most: factors,
    language,
    ...{ entity: task.entity, target: task.target, label: task.label },
    ...(higherIsWorse === undefined ? {} : { higherIsWorse }),
  });
}

/** Rows explained at a time, so that their contributions stay in the cache. */
const rowsPerTelling = 256;

function tellRows(tell: TellFactors, head: OpenHead, matrix: FeatureMatrix): Factors[] {
  const width = matrix.features + 1;
  const told: Factors[] = [];
  for (let from = 0; from < matrix.rows; from += rowsPerTelling) {
    const to = Math.min(matrix.rows, from + rowsPerTelling);
    const contributions = head.contributions(matrix, from, to);
    for (let row = from; row < to; row++) {
      const own = contributions.subarray((row - from) * width, (row - from + 1) * width);
      told.push(tell(own, matrix.values, row, matrix.rows));
    }
  }
  return told;
}
