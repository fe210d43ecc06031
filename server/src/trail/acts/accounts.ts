import { Type } from 'typebox';
import { act } from './act.ts';
import { oneOf, text, texts } from './fields.ts';

/** Whose account it is about. An event does not name them otherwise if its target is a session or a passkey. */
const ofUser = { user_id: text };
const shared = { readBy: 'view_activity_logs', audit: 'auth' } as const;

/** What happens to an account is recorded in each organization in which its user has a role. */
export const accountActs = {
  'user-creation': act({
    ...{ means: 'A person signed up.', ...shared, reach: 'people' },
    payload: ofUser,
  }),
  'user-update': act({
    ...{ means: 'A person changed their name, language or address.', ...shared, reach: 'people' },
    payload: { ...ofUser, changed: texts, from: Type.Optional(text), to: Type.Optional(text) },
  }),
  'user-deletion': act({
    ...{ means: 'A person deleted their account.', ...shared, reach: 'people' },
    payload: ofUser,
  }),
  login: act({
    ...{ means: 'A person signed in.', ...shared, reach: 'people' },
    payload: { ...ofUser, method: text, session_id: text },
  }),
  'login-failure': act({
    ...{ means: 'Somebody tried to sign in to an account and was refused.', ...shared, reach: 'people' },
    payload: { ...ofUser, method: text },
  }),
  'device-addition': act({
    means: 'A person signed in on a device that was not known.',
    ...{ ...shared, reach: 'people', mandatory: 'person' },
    payload: { ...ofUser, session_id: text },
  }),
  'sso-authentication': act({
    means: 'A person came back from an identity provider, and was signed in or refused.',
    ...{ ...shared, reach: 'people' },
    payload: { connection_id: text, session_id: text },
  }),
  'break-glass-sign-in': act({
    means: 'A break-glass admin signed in where members must use single sign-on.',
    ...{ ...shared, reach: 'people', mandatory: 'readers' },
  }),
  'sign-in-link-creation': act({
    means: 'The operator made a link by which a person signs in once.',
    ...{ ...shared, reach: 'people', mandatory: 'person' },
    payload: ofUser,
  }),
  'session-creation': act({
    ...{ means: 'A session began.', ...shared, reach: 'audit' },
    payload: { ...ofUser, method: text, known_device: Type.Boolean() },
  }),
  'session-reauthentication': act({
    ...{ means: 'A person who was signed in proved once more who they are.', ...shared, reach: 'audit' },
    payload: { ...ofUser, by: oneOf(['password', 'passkey']) },
  }),
  'session-revocation': act({
    means: 'A session ended: by signing out, by its owner from another one, or brought from another device.',
    ...{ ...shared, reach: 'people' },
    payload: { ...ofUser, reason: text, sessions: Type.Optional(Type.Integer()) },
  }),
  'second-factor-update': act({
    means: 'A second factor was set up or taken off, or its recovery codes were made anew.',
    ...{ ...shared, reach: 'people', mandatory: 'person' },
    payload: { ...ofUser, change: oneOf(['totp_set_up', 'totp_removed', 'recovery_codes_renewed']) },
  }),
  'passkey-creation': act({
    ...{ means: 'A passkey was registered.', ...shared, reach: 'people', mandatory: 'person' },
    payload: { ...ofUser, name: text },
  }),
  'passkey-renaming': act({
    ...{ means: 'A passkey was renamed.', ...shared, reach: 'people' },
    payload: { ...ofUser, name: text },
  }),
  'passkey-deletion': act({
    ...{ means: 'A passkey was deleted.', ...shared, reach: 'people', mandatory: 'person' },
    payload: { ...ofUser, name: text },
  }),
  'password-update': act({
    ...{ means: 'A password was changed or reset.', ...shared, reach: 'people', mandatory: 'person' },
    payload: { ...ofUser, first: Type.Boolean() },
  }),
} as const;
