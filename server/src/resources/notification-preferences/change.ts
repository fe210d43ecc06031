import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { EventType } from '../../trail/catalog.ts';
import { record } from '../../trail/record.ts';
import { findPerson } from '../api-keys/find-person.ts';
import { requireTimeZone } from '../workspaces/workspace.ts';
import { type AskedChange, type MailSettings, type MailWindow, readChanges, settingsByDefault } from './preference.ts';
import { selectSettings, storeChoices, storeSettings } from './sql.ts';

export type AskedPreferences = {
  readonly mail_window?: string;
  readonly time_zone?: string | null;
  readonly preferences?: AskedChange[];
};

/** Changes what reaches whoever asks in the scope. Throws Failure 'schema_mismatch' for an unknown time zone. */
export async function changePreferences(tx: Tx, ctx: Context<Scope>, asked: AskedPreferences): Promise<void> {
  const { mail_window, time_zone, preferences = [] } = asked;
  if (typeof time_zone === 'string') requireTimeZone(time_zone);
  const userId = await findPerson(tx, ctx);
  await storeChoices(tx, { place: ctx, userId }, readChanges(preferences));
  if (mail_window !== undefined || time_zone !== undefined) {
    const before = (await selectSettings(tx, ctx, userId)) ?? settingsByDefault;
    const settings: MailSettings = {
      mail_window: (mail_window as MailWindow | undefined) ?? before.mail_window,
      time_zone: time_zone === undefined ? before.time_zone : time_zone,
    };
    await storeSettings(tx, ctx, userId, settings);
  }
  await record(tx, ctx, 'notification-preference-update', { type: 'user', id: userId }, { ...asked, preferences });
}

/** Changes what reaches people in the scope who have chosen nothing themselves. */
export async function changeDefaults(tx: Tx, ctx: Context<Scope>, preferences: AskedChange[]): Promise<void> {
  await storeChoices(tx, { place: ctx, userId: null }, readChanges(preferences));
  const target =
    ctx.workspaceId === null
      ? { type: 'organization', id: ctx.organizationId }
      : { type: 'workspace', id: ctx.workspaceId };
  await record(tx, ctx, 'notification-default-update', target, { preferences });
}

/**
 * Turns mails about some types off for a user, who need not be signed in: they hold a mail that says so. `tx` is of the
 * system.
 */
export async function turnOffMails(
  tx: Tx,
  ctx: Context<Scope>,
  userId: string,
  types: readonly EventType[],
): Promise<void> {
  const changes = types.map((type) => ({ type, channels: { email: false } }));
  await storeChoices(tx, { place: ctx, userId }, changes);
  const preferences = types.map((type) => ({ type, channels: 'no email' }));
  await record(tx, ctx, 'notification-preference-update', { type: 'user', id: userId }, { preferences });
}
