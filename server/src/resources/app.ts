import type { Logger } from 'pino';
import type { KeyRing } from '../lib/crypto/sealed.ts';
import type { Pool } from '../lib/processes/pool.ts';
import type { Queue } from '../lib/queue/queue.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { Database } from '../tenancy/doors.ts';
import type { GroupCommit } from '../tenancy/group-commit.ts';
import type { handlers } from './compute.ts';
import type { GraphEmbeddings } from './embeddings/graph.ts';
import type { Embeddings } from './embeddings/open.ts';
import type { Serving } from './models/serving.ts';
import type { PredictionItem } from './predictions/commit.ts';

/** What every verb is given: opened once in app.ts, closed there. */
export type App = {
  readonly db: Database;
  readonly storage: Storage;
  readonly queue: Queue;
  /** Child processes for what takes long; only a worker has them. */
  readonly compute: Pool<typeof handlers> | null;
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
  readonly embeddings: Embeddings;
  readonly graphEmbeddings: GraphEmbeddings;
  readonly predictions: GroupCommit<PredictionItem>;
  /** A folder of this process's own, for files on their way. */
  readonly workFolder: string;
  readonly log: Logger;
};
