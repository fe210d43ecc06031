import { type Permission, permissionsOf } from '../../access/authorize.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { eventTypes } from '../../trail/catalog.ts';
import type { EventReader, PlacedEvent } from '../../trail/outbox/hand-on.ts';
import { planMails, type ToMail } from '../notification-mails/plan.ts';
import { type AllSettings, findChoices, findSettings } from '../notification-preferences/find.ts';
import { isOwed } from '../notification-preferences/mandatory.ts';
import { isMailedByItself } from './mailed.ts';
import {
  insertNotifications,
  type Listener,
  type NewNotification,
  selectListeners,
  selectMakers,
  selectModelNames,
} from './sql.ts';
import { saidIn } from './texts.ts';

/** A notification, and by which mail it is told, if by any. */
type Telling = NewNotification & { readonly id: string; readonly mail: ToMail | null };

const insertedAtOnce = 500;

/** Tells people of events, by the channels that they have chosen: in their inboxes, and by mail. */
export const tellPeople: EventReader = {
  name: 'notifications',
  async read(tx, events) {
    const placed = events.map((event) => ({
      ...{ event, type: event.type },
      ...{ organizationId: event.organization_id, workspaceId: event.workspace_id },
    }));
    const choices = await findChoices(tx, placed);
    const mattering = placed.filter(choices.mayMatter);
    if (mattering.length === 0) return;
    const told = await withNames(
      tx,
      mattering.map(({ event }) => event),
    );
    const subjects = await findSubjects(tx, told);
    const listeners = await findListeners(tx, told, subjects);
    const settings = await findSettings(tx, [...new Set(told.map((event) => event.organization_id))]);
    const tellings = told.flatMap((event) =>
      (listeners.get(event.workspace_id ?? event.organization_id) ?? []).flatMap((listener) => {
        const isSubject = subjects.get(event.id) === listener.userId;
        const isPersonal = isSubject && isOwed(event.type, true);
        if (!isPersonal && !permissionsWith(listener).has(eventTypes[event.type].readBy)) return [];
        const { email, in_app } = choices.resolve({ ...listener, type: event.type }, listener.userId, isSubject);
        // What the act itself sends its user a mail about is mailed once, and so is what every organization of the
        // user has on record.
        const isMailed = email.on && !isMailedByItself(event, listener, isSubject) && !(isPersonal && event.is_repeat);
        return isMailed || in_app.on ? [tellingOf(event, listener, { isInApp: in_app.on, isMailed }, settings)] : [];
      }),
    );
    const mails = await planMails(
      tx,
      tellings.flatMap(({ mail }) => mail ?? []),
    );
    const rows = tellings.map(({ mail: _, ...row }) => ({ ...row, mail_id: mails.get(row.id) ?? null }));
    for (let at = 0; at < rows.length; at += insertedAtOnce)
      await insertNotifications(tx, rows.slice(at, at + insertedAtOnce));
  },
};

function tellingOf(
  event: PlacedEvent,
  listener: Listener,
  { isInApp, isMailed }: { readonly isInApp: boolean; readonly isMailed: boolean },
  settings: AllSettings,
): Telling {
  const id = newId('ntf');
  const { userId, language } = listener;
  const { mail_window: window, time_zone } = settings(listener, userId);
  return {
    ...{ id, organization_id: event.organization_id, workspace_id: event.workspace_id, user_id: userId },
    ...{ event_id: event.id, dedupe_key: `${event.id} ${userId}`, type: event.type, in_app: isInApp },
    ...saidIn(language, event),
    mail: isMailed
      ? { notificationId: id, place: listener, userId, window, timeZone: time_zone ?? listener.timeZone }
      : null,
  };
}

/** The events with the names of the models that they are about, as people know them. */
async function withNames(tx: Tx, events: readonly PlacedEvent[]): Promise<PlacedEvent[]> {
  const modelOf = ({ payload }: PlacedEvent): string | undefined => {
    const { model_id } = payload as { model_id?: unknown };
    return typeof model_id === 'string' ? model_id : undefined;
  };
  const ids = [...new Set(events.flatMap((event) => modelOf(event) ?? []))];
  const names = ids.length > 0 ? await selectModelNames(tx, ids) : new Map<string, string>();
  return events.map((event) => {
    const model = names.get(modelOf(event) ?? '');
    return model === undefined ? event : { ...event, payload: { model, ...(event.payload as object) } };
  });
}

/**
 * Who may be told of what happens, by place: a workspace, or an organization as a whole. Whose account it is about is
 * told of it in the organization, also with a role in one of its workspaces alone.
 */
async function findListeners(
  tx: Tx,
  events: readonly PlacedEvent[],
  subjects: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Listener[]>> {
  const [ofWhole, ofWorkspaces] = [
    events.filter(({ workspace_id }) => workspace_id === null),
    events.flatMap(({ workspace_id }) => workspace_id ?? []),
  ];
  const concerned = ofWhole.flatMap(({ id, organization_id: organizationId }) => {
    const userId = subjects.get(id);
    return userId === undefined ? [] : [{ organizationId, userId }];
  });
  const organizations = new Set(ofWhole.map(({ organization_id }) => organization_id));
  return Map.groupBy(
    await selectListeners(tx, [...new Set(ofWorkspaces)], [...organizations], concerned),
    ({ workspaceId, organizationId }) => workspaceId ?? organizationId,
  );
}

/** Whose account or key events are about. */
async function findSubjects(tx: Tx, events: readonly PlacedEvent[]): Promise<ReadonlyMap<string, string>> {
  const keys = events.filter(({ resource_type }) => resource_type === 'api_key').map(({ resource_id }) => resource_id);
  const makers = keys.length > 0 ? await selectMakers(tx, keys) : new Map<string, string>();
  return new Map(
    events.flatMap(({ id, resource_type, resource_id, payload }) => {
      const { user_id } = payload as { user_id?: unknown };
      const named = typeof user_id === 'string' ? user_id : resource_type === 'user' ? resource_id : undefined;
      const subject = makers.get(resource_id) ?? named;
      return subject === undefined ? [] : [[id, subject] as const];
    }),
  );
}

const knownPermissions = new Map<string, ReadonlySet<Permission>>();

/** The permissions of somebody's roles; there are few combinations of them. */
function permissionsWith({ roles }: Listener): ReadonlySet<Permission> {
  const key = roles.join();
  const permissions = knownPermissions.get(key) ?? permissionsOf(roles, null);
  knownPermissions.set(key, permissions);
  return permissions;
}
