import type { Transaction } from '../db/db.ts';

export type SendOptions = {
  readonly priority?: number;
  readonly group?: string;
  readonly singletonKey?: string;
  readonly startAfter?: Date;
};

export type Queue = {
  /** Queues a job within a transaction: it exists once that commits. */
  send<T>(tx: Transaction<T>, queue: string, data: object, options?: SendOptions): Promise<void>;
};
