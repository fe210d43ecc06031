import type { Reject } from './column.ts';
import { shorten } from './values.ts';

/** Samples of rejects that are kept; the count goes on. */
const rejectsKeptMax = 1_000;
/** So many wait at a time where all are wanted, and those of the rows read together with the last. */
const rejectsWaitingMax = 10_000;

/** The rejects of a reading: a sample of them, or all where they are taken as they come, and their number. */
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
