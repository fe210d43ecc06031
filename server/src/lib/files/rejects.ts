import type { RowReason } from './row-reasons.ts';
import { shorten } from './values.ts';

/**
 * A value that could not be read as its declared type, or a row that could not be read at all. `row` counts the data
 * rows of the file from 1.
 */
export type Reject = {
  readonly file: string;
  readonly row: number;
  readonly column: string | null;
  readonly reason: string;
  /** The reason as a code with values; none of the few that have no code. */
  readonly because?: RowReason;
  /** At most 80 characters of the value; null when there was nothing to show. */
  readonly value: string | null;
};

/** Rejects kept as a sample; further ones are only counted. */
const rejectsKeptMax = 1_000;
/** Rejects kept when all are wanted; `isFull` then asks for them to be taken. Rows read together may add some more. */
const rejectsWaitingMax = 10_000;

/**
 * The rejects of reading files, and their number: keeps a sample, or all (`keepsAll`), which the caller takes as they
 * come.
 */
export class RejectLog {
  readonly kept: Reject[] = [];
  total = 0;
  private readonly keepsAll: boolean;

  constructor(keepsAll = false) {
    this.keepsAll = keepsAll;
  }

  add(reject: Reject): void {
    this.total++;
    if (!this.keepsAll && this.kept.length >= rejectsKeptMax) return;
    this.kept.push({ ...reject, value: reject.value === null ? null : shorten(reject.value) });
  }

  isFull(): boolean {
    return this.keepsAll && this.kept.length >= rejectsWaitingMax;
  }
}
