import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { type EventType, eventTypes } from '../../trail/catalog.ts';
import { isOwed } from './mandatory.ts';
import { type Cells, type Choices, type MailSettings, resolveChannels, settingsByDefault } from './preference.ts';
import { choicesOf, type FoundChoice, selectAllChoices, selectAllSettings } from './sql.ts';

type Place = Pick<Scope, 'organizationId' | 'workspaceId'>;
export type PlacedType = Place & { readonly type: EventType };

/** What people have chosen about some types in some organizations and their workspaces. */
export type AllChoices = {
  /** Whether anybody at all may be told of an event of the type there. */
  mayMatter(event: PlacedType): boolean;
  /** By which channels a user is told. `isSubject`: it is about the user's own account or key. */
  resolve(event: PlacedType, userId: string, isSubject: boolean): Cells;
};

/** Reads what everybody has chosen about these events. `tx` is of the system. */
export async function findChoices(tx: Tx, events: readonly PlacedType[]): Promise<AllChoices> {
  const types = [...new Set(events.map(({ type }) => type))];
  const rows = await selectAllChoices(tx, [...new Set(events.map(({ organizationId }) => organizationId))], types);
  const byChooser = new Map<string, FoundChoice[]>();
  for (const row of rows) {
    const chooser = keyOf({ organizationId: row.organization_id, workspaceId: row.workspace_id }, row.user_id);
    const known = byChooser.get(chooser);
    if (known) known.push(row);
    else byChooser.set(chooser, [row]);
  }
  const choices = new Map<string, Choices>([...byChooser].map(([chooser, found]) => [chooser, choicesOf(found)]));
  const wanted = new Set(
    rows
      .filter(({ is_on }) => is_on)
      .map((row) => keyOf({ organizationId: row.organization_id, workspaceId: row.workspace_id }, row.type)),
  );
  const none: Choices = new Map();
  return {
    mayMatter: (event) =>
      eventTypes[event.type].mandatory !== null ||
      eventTypes[event.type].byDefault ||
      wanted.has(keyOf(event, event.type)),
    resolve: (event, userId, isSubject) =>
      resolveChannels(event.type, {
        own: choices.get(keyOf(event, userId)) ?? none,
        defaults: choices.get(keyOf(event, null)) ?? none,
        isMandatory: isOwed(event.type, isSubject),
      }),
  };
}

/** How mails gather for a user in a place. */
export type AllSettings = (place: Place, userId: string) => MailSettings;

/** Reads how mails gather for everybody in some organizations. `tx` is of the system. */
export async function findSettings(tx: Tx, organizationIds: readonly string[]): Promise<AllSettings> {
  const rows = await selectAllSettings(tx, organizationIds);
  const byUser = new Map(
    rows.map(({ organization_id, workspace_id, user_id, ...settings }) => [
      keyOf({ organizationId: organization_id, workspaceId: workspace_id }, user_id),
      settings,
    ]),
  );
  return (place, userId) => byUser.get(keyOf(place, userId)) ?? settingsByDefault;
}

function keyOf({ organizationId, workspaceId }: Place, what: string | null): string {
  return `${organizationId} ${workspaceId ?? ''} ${what ?? ''}`;
}
