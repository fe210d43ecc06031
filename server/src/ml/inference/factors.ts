import { isOneEvent } from '../answers/horizons.ts';
import type { ColumnContract, Contract } from '../contract/contract.ts';
import type { OpenHead } from '../explain/contributions.ts';
import type { ExplainedNumber } from '../explain/effects.ts';
import { type Factors, openFactors, type TellFactors } from '../explain/factors.ts';
import { columnName, tableNames } from '../explain/names.ts';
import { outputOf } from '../heads/output.ts';
import { factorsFields } from '../kinds/fields.ts';
import { headRuleOf, kindNamed } from '../kinds/kinds.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Task } from '../tasks/task.ts';
import type { Version } from '../version/version.ts';

export type TellingOptions = {
  /** Most factors per row. */
  readonly factors: number;
  readonly language: 'en' | 'pt-BR';
  /** Whether factors say of which features they are. */
  readonly members?: boolean;
};

/** What is told of the rows of a matrix. */
export type ToldRows = {
  readonly matrix: FeatureMatrix;
  /** The values that are told, NaN where nothing is known of the row. */
  readonly known: FeatureMatrix;
  /** Per output the value of each row, before horizons are made to agree. */
  readonly values: readonly Float64Array[];
};

/** Prepares to explain rows, each by the output that its answer comes from. `heads`: one per output. */
export function openTelling(
  version: Version,
  heads: readonly OpenHead[],
): (rows: ToldRows, wanted: TellingOptions) => Factors[] {
  const opened = new Map<string, TellFactors>();
  const areHorizons = !version.task.heads && isOneEvent(version.task);
  let usualValues: readonly number[] | undefined;
  return ({ matrix, known, values }, wanted) => {
    // Prepared tellers are cached: preparing one costs as much as explaining a few rows.
    const tellerOf = (output: number) => {
      const key = `${output} ${wanted.factors} ${wanted.language} ${wanted.members ?? false}`;
      let tell = opened.get(key);
      if (!tell) opened.set(key, (tell = tellFor(version, output, wanted)));
      return tell;
    };
    if (matrix.rows === 0) return [];
    const usual = deciding(version);
    if (areHorizons) usualValues ??= expectedValues(version, heads, matrix);
    const tellingOfRow = usualValues ? openRuling(values, usualValues) : (): Telling => ({ output: usual });
    const width = matrix.features + 1;
    const told: Factors[] = [];
    for (let from = 0; from < matrix.rows; from += rowsPerTelling) {
      const to = Math.min(matrix.rows, from + rowsPerTelling);
      const contributions = heads[usual].contributions(matrix, from, to);
      for (let row = from; row < to; row++) {
        const { output, atLeast } = tellingOfRow(row);
        const own =
          output === usual
            ? contributions.subarray((row - from) * width, (row - from + 1) * width)
            : heads[output].contributions(matrix, row, row + 1);
        told.push(tellerOf(output)(own, known.values, row, known.rows, atLeast));
      }
    }
    return told;
  };
}

/** Per output its value for the margin that training rows have on average: the same for each row of a matrix. */
function expectedValues({ outputs }: Version, heads: readonly OpenHead[], matrix: FeatureMatrix): number[] {
  return outputs.map((output, o) => {
    const expected = heads[o].contributions(matrix, 0, 1).subarray(matrix.features);
    return outputOf(output.objective, output, expected)[0];
  });
}

/** By which output a row is told, and the least probability that other horizons leave to its answer. */
type Telling = { readonly output: number; readonly atLeast?: number };

/**
 * A longer horizon is never less likely than a shorter one, so that the most probable of all rules the answer of the
 * longest, and the usual answer (`usual`: that of each output) as well. A row is told by its own ruling output, on the
 * way from the usual answer up; or by the one that rules the usual answer, on the way down to what the row's own
 * leaves. So what is usual is the same for all rows.
 */
function openRuling(values: readonly Float64Array[], usual: readonly number[]): (row: number) => Telling {
  const longest = values.length - 1;
  const rulingOf = (of: (output: number) => number) =>
    values.reduce((ruling, _, output) => (of(output) > of(ruling) ? output : ruling), longest);
  const usually = rulingOf((o) => usual[o]);
  return (row) => {
    const output = rulingOf((o) => values[o][row]);
    if (output === usually) return { output };
    const value = values[output][row];
    return value > usual[usually] ? { output, atLeast: usual[usually] } : { output: usually, atLeast: value };
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
  'code' | 'group' | 'contribution' | 'effect' | 'value' | 'usual' | 'path' | 'text'
> & {
  /** Unit of `effect`: see `ExplainedNumber`. */
  readonly effect_unit: string | null;
};

/** What is explained. The effects of all factors and `others` add up to `answer` less `usual`. */
export type Explained = {
  /** Field of the answer. */
  readonly field: string;
  /** Unit of the numbers: that of effects. */
  readonly unit: string | null;
  /** The number of the row before rounding, and for the margin that training rows have on average. */
  readonly answer: number;
  readonly usual: number;
  readonly others: number;
};

/** An answer's explanation: its factors, and what they explain; null where rows cannot be explained. */
export type Explanation = { readonly explanation: readonly ExplainedFactor[]; readonly explained: Explained | null };

export const unexplained: Explanation = { explanation: [], explained: null };

/** The explanations of rows, as JSON texts of `Explanation`. */
export function explanationTexts(version: Version, rows: readonly Factors[]): string[] {
  const { field, unit } = explainedNumber(version);
  return rows.map(({ factors, answer, usual }) => {
    const others = factors.reduce((left, { effect }) => left - effect, answer - usual);
    return JSON.stringify({
      explanation: factors.map(({ code, group, contribution, effect, text, path, ...read }) => ({
        ...{ code, group, contribution, effect, effect_unit: unit, value: read.value, usual: read.usual, path, text },
      })),
      explained: { field, unit, answer, usual, others },
    } satisfies Explanation);
  });
}

/** The output that factors explain: the first head, or else the longest horizon, from which the score is computed. */
function deciding({ task, outputs }: Version): number {
  return task.heads ? 0 : outputs.length - 1;
}

/** The number of a version's answers that factors explain. `by`: the output that its answer comes from. */
export function explainedNumber(version: Version, by = deciding(version)): ExplainedNumber {
  const { task, contract } = version;
  const { isRisk, score } = kindNamed(task.kind);
  const output = version.outputs[by];
  const margins = new Float64Array(1);
  const answerTo = (margin: number, atLeast = Number.NEGATIVE_INFINITY): number => {
    margins[0] = margin;
    return Math.max(outputOf(output.objective, output, margins)[0], atLeast);
  };
  const field = task.heads
    ? (headRuleOf(task.kind, output.name).bounds ?? output.name)
    : version.outputs[deciding(version)].name;
  if (output.objective.kind === 'regression') {
    const column = estimatedColumn(task, contract);
    const unit =
      column?.unit ?? (task.target && 'aggregate' in task.target && task.target.aggregate === 'first' ? 'days' : null);
    return { field, what: 'estimate', unit, name: estimatedName(task), column, of: answerTo };
  }
  const what = isRisk ? 'risk' : 'chance';
  if (score) return { field: score.field, what, unit: 'points', of: (...asked) => score.exact(answerTo(...asked)) };
  // A risk needs no name. A label's name says what there is a chance of.
  const name = isRisk || task.target || task.heads ? undefined : columnName(task.label);
  return { field, what, unit: 'percentage_points', name, of: (...asked) => 100 * answerTo(...asked) };
}

/** The column whose sum is estimated. */
function estimatedColumn({ target }: Task, { tables }: Contract): ColumnContract | undefined {
  if (target?.kind !== 'rows' || typeof target.aggregate === 'string' || !('sum' in target.aggregate)) return undefined;
  const { table, aggregate } = target;
  return tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === aggregate.sum);
}

function estimatedName({ target, label }: Task): string | undefined {
  if (!target) return columnName(label);
  if (target.kind !== 'rows') return undefined;
  if (target.aggregate === 'count') return tableNames(target.table).many;
  return typeof target.aggregate === 'object' && 'sum' in target.aggregate
    ? columnName(target.aggregate.sum)
    : undefined;
}

function tellFor(
  version: Version,
  output: number,
  { factors, language, members = false }: TellingOptions,
): TellFactors {
  const { features, usual, contract, task, reasons, history } = version;
  return openFactors(usual, features, contract, {
    most: factors,
    ...{ language, members },
    ...{ entity: task.entity, kind: task.kind, target: task.target, label: task.label, fresh: version.fresh },
    ...{ explained: explainedNumber(version, output), reasons, history },
  });
}

/** Rows explained at a time, so that their contributions stay in the cache. */
const rowsPerTelling = 256;
