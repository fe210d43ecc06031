import type { Reject } from './column.ts';
import { shorten } from './values.ts';

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
