import { Type } from 'typebox';
import { act } from './act.ts';
import { orNull, text, texts } from './fields.ts';

export const workspaceActs = {
  'workspace-creation': act({
    ...{ means: 'A workspace was created.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
    payload: { name: text },
  }),
  'workspace-update': act({
    ...{ means: 'A workspace was changed.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
    payload: { name: Type.Optional(text), time_zone: Type.Optional(text), language: Type.Optional(text) },
  }),
  'workspace-archival': act({
    ...{ means: 'A workspace was archived.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
  }),
  'workspace-unarchival': act({
    means: 'A workspace was taken out of the archive.',
    ...{ readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
  }),
} as const;

export const apiKeyActs = {
  'api-key-creation': act({
    means: 'A key was created.',
    ...{ readBy: 'manage_api_keys', audit: 'admin', reach: 'webhooks', mandatory: 'person' },
    payload: { name: text },
  }),
  'api-key-deletion': act({
    ...{ means: 'A key was deleted.', readBy: 'manage_api_keys', audit: 'admin', reach: 'webhooks' },
  }),
  'api-key-recycling': act({
    ...{ means: 'A key was rotated.', readBy: 'manage_api_keys', audit: 'admin', reach: 'webhooks' },
    payload: { overlap_hours: Type.Number() },
  }),
  'api-key-renaming': act({
    ...{ means: 'A key was renamed.', readBy: 'manage_api_keys', audit: 'admin', reach: 'webhooks' },
    payload: { from: text, to: text },
  }),
} as const;

export const sftpActs = {
  'sftp-user-creation': act({
    ...{ means: 'A user of SFTP was created.', readBy: 'upload_files', audit: 'admin', reach: 'webhooks' },
    byDefault: true,
    payload: { name: text, login: text, public_keys: Type.Integer(), password: Type.Boolean() },
  }),
  'sftp-user-deletion': act({
    ...{ means: 'A user of SFTP was deleted.', readBy: 'upload_files', audit: 'admin', reach: 'webhooks' },
    payload: { name: text },
  }),
  'sftp-sign-in': act({
    ...{ means: 'A user of SFTP signed in.', readBy: 'view_activity_logs', audit: 'auth', reach: 'audit' },
  }),
  'sftp-file-receipt': act({
    ...{ means: 'A file was put in by SFTP.', readBy: 'view_batches', audit: 'data', reach: 'webhooks' },
    payload: { name: text, file_id: text, bytes: Type.Integer() },
  }),
  'sftp-file-refusal': act({
    means: 'No batch was made of a file that was put in by SFTP.',
    ...{ readBy: 'view_batches', audit: 'data', reach: 'webhooks', byDefault: true },
    payload: { name: text, problems: texts },
  }),
} as const;

export const webhookActs = {
  'webhook-creation': act({
    ...{ means: 'A webhook was created.', readBy: 'manage_webhooks', audit: 'admin', reach: 'webhooks' },
    payload: { url: text, events: texts },
  }),
  'webhook-update': act({
    ...{ means: 'A webhook was changed.', readBy: 'manage_webhooks', audit: 'admin', reach: 'webhooks' },
    payload: { changed: texts },
  }),
  'webhook-deletion': act({
    ...{ means: 'A webhook was deleted.', readBy: 'manage_webhooks', audit: 'admin', reach: 'webhooks' },
    payload: { url: text },
  }),
  'webhook-secret-rotation': act({
    means: 'The signing secret of a webhook was rotated.',
    ...{ readBy: 'manage_webhooks', audit: 'admin', reach: 'webhooks' },
    payload: { overlap_hours: Type.Number() },
  }),
  'webhook-disablement': act({
    means: 'The service disabled a webhook: its receiver is gone, or has failed for days.',
    ...{ readBy: 'manage_webhooks', audit: 'system', reach: 'webhooks', mandatory: 'readers' },
    payload: { url: text, reason: text },
  }),
  'webhook-delivery-exhaustion': act({
    means: 'A delivery failed at its last attempt.',
    ...{ readBy: 'manage_webhooks', audit: 'system', reach: 'people', byDefault: true },
    payload: { webhook_id: text, event_id: text, event_type: text, attempts: Type.Integer() },
  }),
  'webhook-test': act({
    ...{ means: 'A test event was sent to a webhook.', readBy: 'manage_webhooks', audit: 'admin', reach: 'audit' },
    payload: { delivery_id: text },
  }),
  'webhook-delivery-replay': act({
    means: 'A delivery to a webhook was sent again.',
    ...{ readBy: 'manage_webhooks', audit: 'admin', reach: 'audit' },
    payload: { delivery_id: text, replay_of: text },
  }),
  'webhook-recovery': act({
    means: 'All that never arrived at a webhook since a moment was sent again.',
    ...{ readBy: 'manage_webhooks', audit: 'admin', reach: 'audit' },
    payload: { recovery_id: text, since: text, until: text, total: Type.Integer() },
  }),
} as const;

const allowlist = {
  cidr: text,
  applies_to: text,
  api_key_id: orNull(text),
  note: Type.Optional(orNull(text)),
};

export const organizationActs = {
  'organization-creation': act({
    ...{ means: 'An organization was created.', readBy: 'view_members', audit: 'admin', reach: 'people' },
    payload: { name: text },
  }),
  'organization-update': act({
    means: 'The settings of an organization were changed.',
    ...{ readBy: 'view_members', audit: 'admin', reach: 'people' },
    payload: { name: Type.Optional(text), second_factor: Type.Optional(text), single_sign_on: Type.Optional(text) },
  }),
  'organization-suspension': act({
    means: 'The operator suspended an organization.',
    ...{ readBy: 'view_members', audit: 'admin', reach: 'people', mandatory: 'readers' },
  }),
  'organization-resumption': act({
    means: 'The operator ended the suspension of an organization.',
    ...{ readBy: 'view_members', audit: 'admin', reach: 'people', mandatory: 'readers' },
  }),
  'organization-feature-update': act({
    means: 'The operator switched a feature of an organization on or off.',
    ...{ readBy: 'view_members', audit: 'admin', reach: 'people' },
    payload: { feature: text, enabled: Type.Boolean() },
  }),
  'price-plan-update': act({
    means: 'The operator put an organization on a price plan.',
    ...{ readBy: 'view_invoices', audit: 'admin', reach: 'people', byDefault: true },
    payload: { price_plan: text, before: orNull(text) },
  }),
  'quota-update': act({
    means: 'The operator set a quota or took it away.',
    ...{ readBy: 'view_usage', audit: 'admin', reach: 'people' },
    payload: { resource: text, limit: orNull(Type.Integer()) },
  }),
  'ip-rule-creation': act({
    means: 'A rule was made about the addresses from which callers come in.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: allowlist,
  }),
  'ip-rule-deletion': act({
    means: 'A rule about addresses was deleted.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: allowlist,
  }),
} as const;

const invited = { email: text, role: text, workspace_id: orNull(text) };

export const memberActs = {
  'member-addition': act({
    ...{ means: 'A member was added.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
    payload: { role: text, workspace_id: orNull(text) },
  }),
  'member-role-update': act({
    ...{ means: 'A member was given another role.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
    payload: { from: text, to: text },
  }),
  'member-removal': act({
    ...{ means: 'A member was removed, or left.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
    payload: { role: text, left: Type.Boolean() },
  }),
  'membership-history-download': act({
    means: 'The history of members was downloaded.',
    ...{ readBy: 'view_activity_logs', audit: 'data', reach: 'audit' },
  }),
  'invitation-creation': act({
    ...{ means: 'Somebody was invited.', readBy: 'manage_members', audit: 'admin', reach: 'webhooks' },
    payload: invited,
  }),
  'invitation-resending': act({
    ...{ means: 'An invitation was sent again.', readBy: 'manage_members', audit: 'admin', reach: 'webhooks' },
    payload: invited,
  }),
  'invitation-revocation': act({
    ...{ means: 'An invitation was revoked.', readBy: 'manage_members', audit: 'admin', reach: 'webhooks' },
    payload: invited,
  }),
  'invitation-acceptance': act({
    ...{ means: 'An invitation was accepted.', readBy: 'view_members', audit: 'admin', reach: 'webhooks' },
    payload: { user_id: text },
  }),
} as const;

export const denialActs = {
  'access-denial': act({
    means: 'A call was refused for want of a right.',
    ...{ readBy: 'view_activity_logs', audit: 'auth', reach: 'audit' },
  }),
} as const;

export const ssoActs = {
  'domain-creation': act({
    means: 'A domain of the organization was named.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: { domain: text },
  }),
  'domain-verification': act({
    means: 'A domain was proved by its record in the DNS.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: { domain: text },
  }),
  'domain-deletion': act({
    means: 'A domain of the organization was deleted.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: { domain: text },
  }),
  'sso-connection-creation': act({
    means: 'A connection to an identity provider was added.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: { kind: text, name: text },
  }),
  'sso-connection-update': act({
    means: 'A connection to an identity provider was changed.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: { changed: texts },
  }),
  'sso-connection-activation': act({
    means: 'People may sign in through a connection.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
  }),
  'sso-connection-deactivation': act({
    means: 'Nobody may sign in through a connection any more.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
  }),
  'sso-connection-deletion': act({
    means: 'A connection to an identity provider was deleted.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
    payload: { kind: text, name: text },
  }),
  'break-glass-admin-addition': act({
    means: 'A Creator was made a break-glass admin.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
  }),
  'break-glass-admin-removal': act({
    means: 'A break-glass admin was made a member like others.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'people' },
  }),
} as const;
