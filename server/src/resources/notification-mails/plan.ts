import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { instantOf, wallClock } from '../../lib/time-zone.ts';
import type { MailWindow } from '../notification-preferences/preference.ts';
import { insertSingles, openDigests, type SingleMail, selectNow, selectRecent } from './sql.ts';

type Place = Pick<Scope, 'organizationId' | 'workspaceId'>;

/** A notification that is to reach its user by mail. */
export type ToMail = {
  readonly notificationId: string;
  readonly place: Place;
  readonly userId: string;
  readonly window: MailWindow;
  readonly timeZone: string;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Most mails about one notification each that a user gets within an hour; what is beyond gathers. */
export const mailsPerHourMax = 20;
/** When on the clocks of its user's zone a day's mail goes out. */
export const dailyHour = 8;

/**
 * Plans the mails by which notifications are told: at once, or in the one that gathers for the user in the place.
 * Returns the id of the mail of each notification. A mail about one notification has its id. `tx` is of the system.
 */
export async function planMails(tx: Tx, wanted: readonly ToMail[]): Promise<ReadonlyMap<string, string>> {
  if (wanted.length === 0) return new Map();
  const nowMs = (await selectNow(tx)).getTime();
  const recent = new Map(
    (await selectRecent(tx, [...new Set(wanted.map(({ userId }) => userId))])).map((row) => [
      row.user_id,
      { count: row.count, oldestMs: row.oldest.getTime() },
    ]),
  );
  const singles: SingleMail[] = [];
  const mailOf = new Map<string, string>();
  const digests = new Map<string, { place: Place; userId: string; dueMs: number; notifications: string[] }>();
  for (const one of wanted) {
    const { notificationId: id, place, userId } = one;
    const known = recent.get(userId) ?? { count: 0, oldestMs: nowMs };
    if (one.window === 'none' && known.count < mailsPerHourMax) {
      recent.set(userId, { ...known, count: known.count + 1 });
      singles.push({ id, place, userId });
      mailOf.set(id, id);
      continue;
    }
    const dueMs = one.window === 'none' ? known.oldestMs + hourMs : endOfWindow(one.window, one.timeZone, nowMs);
    const key = keyOf(place.organizationId, place.workspaceId, userId);
    const digest = digests.get(key) ?? { place, userId, dueMs, notifications: [] };
    digest.dueMs = Math.min(digest.dueMs, dueMs);
    digest.notifications.push(id);
    digests.set(key, digest);
  }
  if (singles.length > 0) await insertSingles(tx, singles);
  const gathering = [...digests.values()].map(({ dueMs, ...digest }) => ({ ...digest, dueAt: new Date(dueMs) }));
  for (const row of gathering.length === 0 ? [] : await openDigests(tx, gathering)) {
    const { notifications } = digests.get(keyOf(row.organization_id, row.workspace_id, row.user_id))!;
    for (const id of notifications) mailOf.set(id, row.id);
  }
  return mailOf;
}

function keyOf(organizationId: string, workspaceId: string | null, userId: string): string {
  return `${organizationId} ${workspaceId ?? ''} ${userId}`;
}

/** When what gathers from `nowMs` on goes out, in milliseconds since 1970. */
export function endOfWindow(window: Exclude<MailWindow, 'none'>, timeZone: string, nowMs: number): number {
  switch (window) {
    case '15m':
      return nowMs + 15 * minuteMs;
    case '1h':
      return nowMs + hourMs;
    case 'daily': {
      const wall = wallClock(timeZone, nowMs);
      const today = Math.floor(wall / dayMs) * dayMs + dailyHour * hourMs;
      return instantOf(timeZone, today > wall ? today : today + dayMs);
    }
  }
}
