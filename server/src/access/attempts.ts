import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { Failure } from '../lib/failure.ts';
import type { Tx } from './transactions.ts';

/** How many attempts are free, how long the next ones must wait, and how many there may be. */
export type Patience = {
  readonly free: number;
  /** The wait after the last free attempt, in seconds; each attempt after it doubles the wait, up to `longest`. */
  readonly first: number;
  readonly longest: number;
  /** After so many attempts without a success no other is let through. */
  readonly most: number;
  /** Attempts are forgotten this many seconds after the last one; null for never. */
  readonly forget: number | null;
};

const hour = 3_600;
/** In seconds: until something else than time helps. */
const maxWait = 10 * 365 * 24 * hour;

/** Of one account from devices that it does not know (NIST SP 800-63B §5.2.2: at most 100 in a row). */
export const ofAccount: Patience = { free: 5, first: 1, longest: hour / 4, most: 100, forget: null };
/** From one network: people behind one address err, too. */
export const ofNetwork: Patience = { free: 30, first: 1, longest: hour / 4, most: 10_000, forget: hour };
/** From a device that the account knows, and of who is signed in and proves it once more. */
export const ofDevice: Patience = { free: 10, first: 1, longest: hour / 4, most: 100, forget: 24 * hour };
/** Codes of a second factor, of somebody who knows the password: a million of them, of which two are good. */
export const ofCodes: Patience = { free: 10, first: 15 * 60, longest: 24 * hour, most: 1_000, forget: null };
/** Challenges for passkeys that a network asks for: each is a row until it expires. Nothing is guessed by them. */
export const ofChallenges: Patience = { free: 300, first: 1, longest: 10, most: 1_000_000, forget: hour / 4 };
/** Steps of sign-ins at identity providers from one network, behind which may be a whole company. */
export const ofSingleSignOn: Patience = { free: 10_000, first: 1, longest: 60, most: 1_000_000, forget: hour };
/** Looking a domain up in the DNS. */
export const ofLookups: Patience = { free: 10, first: 5, longest: 300, most: 10_000, forget: hour };
/** Mails to one address that somebody asks for who is not signed in. */
export const ofMails: Patience = { free: 3, first: 60, longest: hour, most: 1_000, forget: 24 * hour };

/**
 * Counts an attempt before it is made, so that attempts at once count too: by the clock, since one transaction may wait
 * for another that began later. Throws Failure 'rate_limited' with the time
 * to wait, and counts nothing, for an attempt that comes too early.
 */
export async function countAttempt(tx: Tx, bucket: string, patience: Patience): Promise<void> {
  const { free, first, longest, most, forget } = patience;
  const wait = sql<number>`case
    when ${forget ?? null}::float8 is not null and attempts.last_at < clock_timestamp() - ${forget ?? 0} * interval '1 s' then 0
    when attempts.count >= ${most} then ${maxWait}
    when attempts.count < ${free} then 0
    else least(${first} * power(2, least(attempts.count - ${free}, 60)), ${longest}) end`;
  const isForgotten = sql<boolean>`${forget ?? null}::float8 is not null
    and attempts.last_at < clock_timestamp() - ${forget ?? 0} * interval '1 s'`;
  const { rows } = await sql<{ count: number }>`
    insert into attempts (bucket, last_at) values (${bucket}, clock_timestamp())
    on conflict (bucket) do update set
      count = case when ${isForgotten} then 1 else attempts.count + 1 end, last_at = clock_timestamp()
      where attempts.last_at + (${wait}) * interval '1 s' <= clock_timestamp()
    returning count`.execute(tx);
  if (rows.length > 0) return;
  const left = await sql<{ seconds: number }>`
    select extract(epoch from last_at + (${wait}) * interval '1 s' - clock_timestamp())::float8 as seconds
    from attempts where bucket = ${bucket}`.execute(tx);
  const seconds = Math.max(1, Math.ceil(left.rows[0]?.seconds ?? 1));
  throw new Failure('rate_limited', 'too many attempts: try again later, or from a device that you have used before', {
    reason: 'rate_limited',
    headers: { 'retry-after': String(Math.min(seconds, maxWait)) },
  });
}

/** Forgets the attempts of a bucket, after one that succeeded. */
export async function forgetAttempts(tx: Tx, buckets: readonly string[]): Promise<void> {
  await tx.deleteFrom('attempts').where('bucket', 'in', buckets).execute();
}

/** Takes back the count of an attempt that succeeded, and leaves those of others. */
export async function uncountAttempt(tx: Tx, bucket: string): Promise<void> {
  await tx
    .updateTable('attempts')
    .set({ count: sql<number>`greatest(0, count - 1)` })
    .where('bucket', '=', bucket)
    .execute();
}

/** Deletes counts that no rule reads any more; returns how many there were. */
export async function expireAttempts(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('attempts')
    .where('last_at', '<', sql<Date>`now() - interval '1 day'`)
    .where('bucket', 'not like', 'account %')
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The bucket of an address, which the database does not keep. */
export function accountBucket(canonicalEmail: string): string {
  return `account ${createHash('sha256').update(canonicalEmail).digest('hex')}`;
}

/** The bucket of a network: an IPv4 address, or the 64 bits that one customer of a provider has of IPv6. */
export function networkBucket(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return `network ${mapped}`;
  return `network ${isIPv6(ip) ? `${network64(ip)}::/64` : ip}`;
}

/** The first four groups of an IPv6 address, written out. */
function network64(ip: string): string {
  const [head, tail] = ip.split('%', 1)[0].split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
