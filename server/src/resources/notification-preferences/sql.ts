import { sql } from 'kysely';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { EventType } from '../../trail/catalog.ts';
import type { ChoiceChange, Choices, MailSettings, NotificationChannel } from './preference.ts';

type Place = Pick<Scope, 'organizationId' | 'workspaceId'>;
type ChoiceRow = { readonly type: string; readonly channel: string; readonly is_on: boolean };

/** Whose choices: those of a user, or the defaults of the place. */
export type Chooser = { readonly place: Place; readonly userId: string | null };

/** Gathers rows by type. */
export function choicesOf(rows: readonly ChoiceRow[]): Choices {
  const choices = new Map<EventType, Partial<Record<NotificationChannel, boolean>>>();
  for (const { type, channel, is_on } of rows)
    choices.set(type as EventType, { ...choices.get(type as EventType), [channel]: is_on });
  return choices;
}

export async function selectChoices(tx: Tx, { place, userId }: Chooser): Promise<Choices> {
  if (userId === null)
    return choicesOf(
      await tx
        .selectFrom('notification_defaults')
        .select(['type', 'channel', 'is_on'])
        .where('organization_id', '=', place.organizationId)
        .where('workspace_id', 'is not distinct from', place.workspaceId)
        .execute(),
    );
  return choicesOf(
    await tx
      .selectFrom('notification_preferences')
      .select(['type', 'channel', 'is_on'])
      .where('organization_id', '=', place.organizationId)
      .where('workspace_id', 'is not distinct from', place.workspaceId)
      .where('user_id', '=', userId)
      .execute(),
  );
}

/** Stores what has been chosen, and removes what follows the defaults again. */
export async function storeChoices(
  tx: Tx,
  { place, userId }: Chooser,
  changes: readonly ChoiceChange[],
): Promise<void> {
  const taken = changes.filter(({ channels }) => channels === null).map(({ type }) => type);
  const set = changes.flatMap(({ type, channels }) =>
    Object.entries(channels ?? {}).map(([channel, is_on]) => ({ type, channel, is_on })),
  );
  const at = { organization_id: place.organizationId, workspace_id: place.workspaceId };
  const columns = ['organization_id', 'workspace_id', 'type', 'channel'] as const;
  const given = { is_on: sql<boolean>`excluded.is_on`, changed_at: sql<Date>`now()` };
  if (userId === null) {
    if (taken.length > 0)
      await tx
        .deleteFrom('notification_defaults')
        .where('organization_id', '=', place.organizationId)
        .where('workspace_id', 'is not distinct from', place.workspaceId)
        .where('type', 'in', taken)
        .execute();
    if (set.length > 0)
      await tx
        .insertInto('notification_defaults')
        .values(set.map((row) => ({ ...at, ...row })))
        .onConflict((conflict) => conflict.columns(columns).doUpdateSet(given))
        .execute();
    return;
  }
  if (taken.length > 0)
    await tx
      .deleteFrom('notification_preferences')
      .where('organization_id', '=', place.organizationId)
      .where('workspace_id', 'is not distinct from', place.workspaceId)
      .where('user_id', '=', userId)
      .where('type', 'in', taken)
      .execute();
  if (set.length > 0)
    await tx
      .insertInto('notification_preferences')
      .values(set.map((row) => ({ ...at, user_id: userId, ...row })))
      .onConflict((conflict) => conflict.columns([...columns, 'user_id']).doUpdateSet(given))
      .execute();
}

export async function selectSettings(tx: Tx, place: Place, userId: string): Promise<MailSettings | undefined> {
  return tx
    .selectFrom('notification_settings')
    .select(['mail_window', 'time_zone'])
    .where('organization_id', '=', place.organizationId)
    .where('workspace_id', 'is not distinct from', place.workspaceId)
    .where('user_id', '=', userId)
    .$castTo<MailSettings>()
    .executeTakeFirst();
}

export async function storeSettings(tx: Tx, place: Place, userId: string, settings: MailSettings): Promise<void> {
  await tx
    .insertInto('notification_settings')
    .values({ organization_id: place.organizationId, workspace_id: place.workspaceId, user_id: userId, ...settings })
    .onConflict((conflict) => conflict.columns(['organization_id', 'workspace_id', 'user_id']).doUpdateSet(settings))
    .execute();
}

/** Deletes the choices and the settings of a user in all places. `tx` is of the system. */
export async function deleteChoices(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('notification_preferences').where('user_id', '=', userId).execute();
  await tx.deleteFrom('notification_settings').where('user_id', '=', userId).execute();
}

/** Whom choices and settings are of, and where: a row of a table of them. */
type Located = { readonly organization_id: string; readonly workspace_id: string | null };
export type FoundChoice = Located & ChoiceRow & { readonly user_id: string | null };
export type FoundSettings = Located & MailSettings & { readonly user_id: string };

/**
 * The choices of everybody about some types in some workspaces and organizations; those without a user are the defaults
 * of the place. `tx` is of the system.
 */
export async function selectAllChoices(
  tx: Tx,
  organizationIds: readonly string[],
  types: readonly string[],
): Promise<FoundChoice[]> {
  const columns = ['organization_id', 'workspace_id', 'type', 'channel', 'is_on'] as const;
  const chosen = await tx
    .selectFrom('notification_preferences')
    .select([...columns, 'user_id'])
    .where('organization_id', 'in', organizationIds)
    .where('type', 'in', types)
    .execute();
  const defaults = await tx
    .selectFrom('notification_defaults')
    .select(columns)
    .where('organization_id', 'in', organizationIds)
    .where('type', 'in', types)
    .execute();
  return [...chosen, ...defaults.map((row) => ({ ...row, user_id: null }))];
}

/** The settings of users in all their places of some organizations. `tx` is of the system. */
export async function selectAllSettings(tx: Tx, organizationIds: readonly string[]): Promise<FoundSettings[]> {
  return tx
    .selectFrom('notification_settings')
    .select(['organization_id', 'workspace_id', 'user_id', 'mail_window', 'time_zone'])
    .where('organization_id', 'in', organizationIds)
    .$castTo<FoundSettings>()
    .execute();
}
