import type { Permission } from '../access/authorize.ts';
import { accountActs } from './acts/accounts.ts';
import type { Act, AuditClass, PayloadOf as PayloadOfAct } from './acts/act.ts';
import { auditActs } from './acts/audit.ts';
import { batchActs, dataActs } from './acts/data.ts';
import { modelActs, predictionActs } from './acts/models.ts';
import { notificationActs } from './acts/notifications.ts';
import {
  apiKeyActs,
  denialActs,
  memberActs,
  organizationActs,
  sftpActs,
  ssoActs,
  webhookActs,
  workspaceActs,
} from './acts/places.ts';
import { usageActs } from './acts/usage.ts';

/**
 * The catalog: everything that is recorded when it happens. Audit trail, webhooks and notifications use the same names.
 * A name that has been released is never given another meaning, and its payload only gains fields.
 */
export const catalog = [
  ['Batches', batchActs],
  ['Data', dataActs],
  ['Models', modelActs],
  ['Predictions', predictionActs],
  ['Workspace', workspaceActs],
  ['API keys', apiKeyActs],
  ['SFTP', sftpActs],
  ['Webhooks', webhookActs],
  ['Notifications', notificationActs],
  ['Usage and billing', usageActs],
  ['Organization', organizationActs],
  ['Members', memberActs],
  ['Accounts', accountActs],
  ['Single sign-on', ssoActs],
  ['Refusals', denialActs],
  ['Audit trail', auditActs],
] as const satisfies readonly (readonly [group: string, acts: Readonly<Record<string, Act>>])[];

/** Every act that the audit trail keeps. */
export const auditActions = {
  ...{ ...batchActs, ...dataActs, ...modelActs, ...predictionActs },
  ...{ ...workspaceActs, ...apiKeyActs, ...sftpActs, ...webhookActs, ...notificationActs, ...usageActs },
  ...{ ...organizationActs, ...memberActs, ...accountActs, ...ssoActs, ...denialActs, ...auditActs },
} as const;
export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as AuditAction[];

/** What `record` is given with an act. */
export type PayloadOf<A extends AuditAction> = PayloadOfAct<(typeof auditActions)[A]>;

/** The acts that make an event. */
export type EventType = {
  [A in AuditAction]: (typeof auditActions)[A]['reach'] extends 'audit' ? never : A;
}[AuditAction];

export const eventTypeNames = auditActionNames.filter(isEventType);

export const eventTypes = Object.fromEntries(eventTypeNames.map((name) => [name, auditActions[name]])) as Readonly<
  Record<EventType, Act>
>;

export function isEventType(action: AuditAction): action is EventType {
  return (auditActions[action] as Act).reach !== 'audit';
}

/** The permissions that allow reading at least one event type. */
export const eventPermissions: readonly Permission[] = [
  ...new Set(eventTypeNames.map((type) => eventTypes[type].readBy)),
];

/** What auditors sort an act by; null for an act that is not in the catalog any more. */
export function auditClassOf(action: string): AuditClass | null {
  return Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction].audit : null;
}
