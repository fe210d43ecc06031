import type { Database } from '../access/transactions.ts';
import type { Places } from '../api/places.ts';
import type { Hasher } from '../lib/crypto/hasher.ts';
import type { KeyRing } from '../lib/crypto/sealed.ts';
import type { NoteSigner } from '../lib/crypto/signed-note.ts';
import type { LookUpTexts } from '../lib/dns/texts.ts';
import type { Logger } from '../lib/http/log.ts';
import type { Outbound } from '../lib/http/outbound.ts';
import type { Mailer } from '../lib/mail/mail.ts';
import type { IsPersonal } from '../lib/mail/personal-domains.ts';
import type { TaskRunner } from '../lib/processes/pool.ts';
import type { Shares } from '../lib/processes/shares.ts';
import type { Queue } from '../lib/queue/queue.ts';
import type { Storage } from '../lib/storage/storage.ts';
import type { Serving } from '../serving/serving.ts';
import type { GroupCommit } from '../trail/group-commit.ts';
import type { Allowances } from './allowances/allowances.ts';
import type { RetentionDays } from './kept-since.ts';

/** The dependencies that every operation receives. The root app.ts opens and closes them once per process. */
export type App = {
  readonly db: Database;
  readonly storage: Storage;
  readonly queue: Queue;
  /** Child processes for long computations; null in a process that is no worker. */
  readonly compute: TaskRunner | null;
  /** How many threads one training learns with. */
  readonly trainingThreads: number;
  /** Child processes that read contracts, tasks and queries: what customers wrote, and nothing else reads here. */
  readonly parsing: Shares;
  /** Child processes that read few of the stored rows, for somebody who waits. */
  readonly reading: Shares;
  readonly keys: {
    /** Signs cursors. */
    readonly cursors: Buffer;
    /** Signs upload and download addresses. */
    readonly addresses: Buffer;
    /** Computes the digests of request bodies that come with an Idempotency-Key. */
    readonly idempotency: Buffer;
    /** Computes what stands in the audit trail for the key of an entity. */
    readonly fingerprints: Buffer;
    /** Signs checkpoints of the audit trail. */
    readonly audit: NoteSigner;
    /** Seals values that must not be readable in the database. */
    readonly sealing: KeyRing;
  };
  readonly hasher: Hasher;
  readonly mailer: Mailer;
  /** Where people may write to get no more mails, for the head of those; null without one. */
  readonly unsubscribeAddress: string | null;
  /** All requests to addresses that customers name go by it. */
  readonly outbound: Outbound;
  readonly webhooks: {
    /** Where webhooks may go by http. */
    readonly plain: 'this machine' | 'never';
    /** The delays before each attempt of a delivery, in milliseconds. */
    readonly schedule: readonly number[];
    /** Most deliveries that wait for one webhook. */
    readonly waitingMax: number;
  };
  readonly isPersonal: IsPersonal;
  readonly lookUpTexts: LookUpTexts;
  /** The address at which callers reach this installation, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Whether this process is about to stop, and should be sent nothing any more. */
  readonly isLeaving: () => boolean;
  readonly serving: Serving;
  readonly groupCommit: GroupCommit;
  readonly allowances: Allowances;
  /** Of the requests that wait for the end of work. */
  readonly waits: Places;
  /** A temporary folder that belongs to this process. */
  readonly workFolder: string;
  /** How long entries of the audit trail are kept. */
  readonly auditRetentionDays: number;
  /** How many days what customers made is kept; 0 for ever. */
  readonly retentionDays: RetentionDays;
  /** How many predictions of each workspace are replayed by night; 0 for none. */
  readonly replaySample: number;
  /** Where SFTP listens; null where this installation has none. */
  readonly sftpPort: () => number | null;
  readonly log: Logger;
};
