import type { EventType } from '../../trail/catalog.ts';
import type { PlacedEvent } from '../../trail/outbox/hand-on.ts';
import type { Listener } from './sql.ts';

/** Acts that send whom they concern a mail of their own, with more in it than a notification has. */
const mailsSubject: readonly EventType[] = [
  ...(['device-addition', 'second-factor-update', 'passkey-creation', 'passkey-deletion'] as const),
];

/** Whether the act itself has sent this user a mail: nobody gets two about one act. */
export function isMailedByItself(
  { type, payload }: Pick<PlacedEvent, 'type' | 'payload'>,
  { roles, workspaceId }: Pick<Listener, 'roles' | 'workspaceId'>,
  isSubject: boolean,
): boolean {
  const { first, reason, to } = payload as { first?: unknown; reason?: unknown; to?: unknown };
  switch (type) {
    case 'break-glass-sign-in':
      return workspaceId === null && roles.includes('creator');
    case 'password-update':
      return isSubject && first !== true;
    case 'session-revocation':
      return isSubject && reason === 'unrecognized_device';
    case 'user-update':
      return isSubject && typeof to === 'string';
    default:
      return isSubject && mailsSubject.includes(type);
  }
}
