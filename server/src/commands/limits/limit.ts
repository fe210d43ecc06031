import type { ErrorCode } from '../../errors.ts';
import type { DeviationRule } from '../../ml/contract/deviation.ts';
import type { FileFailureCode } from '../../resources/batches/work/plan.ts';
import type { RowProblemCode } from '../../serving/rows/problem.ts';

/** What says that a limit was exceeded: a code of a refusal or of work that failed, or the rule of a deviation. */
export type LimitCode = ErrorCode | DeviationRule | FileFailureCode | RowProblemCode;

/** One limit. Where it has no code nothing is refused, and `advice` says what happens instead. */
export type Limit = readonly [what: string, limit: string, codes: readonly LimitCode[], advice: string];

export type LimitSection = { readonly title: string; readonly about?: string; readonly limits: readonly Limit[] };
