import type { Logger } from 'pino';
import type { Database } from '../access/transactions.ts';
import type { KeyRing } from '../lib/crypto/sealed.ts';
import type { TaskRunner } from '../lib/processes/pool.ts';
import type { Queue } from '../lib/queue/queue.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { Serving } from '../serving/serving.ts';
import type { GroupCommit } from '../trail/group-commit.ts';

/** What every verb is given: opened once in app.ts, closed there. */
export type App = {
  readonly db: Database;
  readonly storage: Storage;
  readonly queue: Queue;
  /** Child processes for what takes long; only a worker has them. */
  readonly compute: TaskRunner | null;
  readonly keys: {
    /** Signs cursors. */
    readonly cursors: Buffer;
    /** Signs upload and download addresses. */
    readonly addresses: Buffer;
    /** Marks bodies that come with an Idempotency-Key. */
    readonly idempotency: Buffer;
    /** Seals what is kept and must not be read in the database. */
    readonly sealing: KeyRing;
  };
  /** Of this installation as callers reach it, without a slash at the end. */
  readonly publicUrl: () => string;
  readonly serving: Serving;
  readonly groupCommit: GroupCommit;
  /** A folder of this process's own, for files on their way. */
  readonly workFolder: string;
  readonly log: Logger;
};
