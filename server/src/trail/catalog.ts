import type { Permission } from '../access/authorize.ts';

type EventKind = {
  readonly means: string;
  /** The permission needed to read such an event: the one for reading what the event is about. */
  readonly readBy: Permission;
};

/** The event types. Webhooks, notifications and the audit trail use the same names. */
export const eventTypes = {
  'batch-input-upload-request': { means: 'A batch input file upload was requested.', readBy: 'view_files' },
  'batch-input-deletion': { means: 'A batch input was deleted.', readBy: 'view_files' },
  'batch-request': { means: 'A batch run was requested.', readBy: 'view_batches' },
  'batch-interrupt-request': { means: 'An interruption of a batch was requested.', readBy: 'view_batches' },
  'batch-lifecycle': {
    means: 'A batch went to another status: queued, running, succeeded or failed.',
    readBy: 'view_batches',
  },
  'batch-result-download': { means: 'A result was downloaded.', readBy: 'view_batches' },
  'batch-result-deletion': { means: 'A result was deleted.', readBy: 'view_batches' },
  'model-version-creation': { means: 'A training run made a version.', readBy: 'view_models' },
  'model-version-activation': { means: 'A version was activated.', readBy: 'view_models' },
  'model-version-deactivation': { means: 'A version was deactivated.', readBy: 'view_models' },
  'model-version-promotion': { means: 'A version was given an alias.', readBy: 'view_models' },
  'model-version-demotion': { means: 'A version lost an alias.', readBy: 'view_models' },
  'gfm-version-release': { means: 'The operator released a version of the graph model.', readBy: 'view_models' },
  'rfm-version-creation': {
    means: "A training run made a version of the workspace's relational model.",
    readBy: 'view_models',
  },
  'embedding-request': { means: 'Embeddings were asked for.', readBy: 'invoke_predictions' },
  'training-run-lifecycle': { means: 'A training run went to another status.', readBy: 'view_models' },
  'ingestion-lifecycle': { means: 'An ingestion went to another status.', readBy: 'view_models' },
  'data-contract-version': { means: 'A contract version was proposed, accepted or rejected.', readBy: 'view_models' },
  'data-contract-deviation': { means: 'A file deviates from the contract.', readBy: 'view_models' },
  'erasure-lifecycle': { means: 'An erasure was asked for, done or interrupted.', readBy: 'upload_files' },
  'object-damage': {
    means: 'A stored object was found not to be what was stored; nothing was made of it.',
    readBy: 'view_activity_logs',
  },
  'workspace-creation': { means: 'A workspace was created.', readBy: 'view_members' },
  'workspace-update': { means: 'A workspace was changed.', readBy: 'view_members' },
  'workspace-archival': { means: 'A workspace was archived.', readBy: 'view_members' },
  'workspace-unarchival': { means: 'A workspace was taken out of the archive.', readBy: 'view_members' },
  'api-key-creation': { means: 'A key was created.', readBy: 'manage_api_keys' },
  'api-key-deletion': { means: 'A key was deleted.', readBy: 'manage_api_keys' },
  'api-key-recycling': { means: 'A key was rotated.', readBy: 'manage_api_keys' },
  'api-key-renaming': { means: 'A key was renamed.', readBy: 'manage_api_keys' },
} as const satisfies Readonly<Record<string, EventKind>>;
export type EventType = keyof typeof eventTypes;

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** The permissions that allow reading at least one event type. */
export const eventPermissions: readonly Permission[] = [
  ...new Set(eventTypeNames.map((type) => eventTypes[type].readBy)),
];

/** Acts that the audit trail keeps and that make no event. */
const unannounced = {
  'prediction-consumption': 'A prediction was answered.',
  'batch-input-upload': 'The bytes of a batch input arrived.',
  'gfm-version-adoption': 'The workspace chose the version of the graph model that it reads.',
  'rfm-version-export':
    "A version of the workspace's relational model was exported, with the models that answered then.",
  'task-creation': 'A task was defined.',
  'file-download': 'A file was downloaded.',
  'access-denial': 'A call was refused for want of a right.',
  'organization-creation': 'An organization was created.',
  'organization-update': 'The settings of an organization were changed.',
  'organization-suspension': 'The operator suspended an organization.',
  'organization-resumption': 'The operator ended the suspension of an organization.',
  'organization-feature-update': 'The operator switched a feature of an organization on or off.',
  'price-plan-update': 'The operator put an organization on a price plan.',
  'quota-update': 'The operator set a quota or took it away.',
  'member-addition': 'A member was added.',
  'member-role-update': 'A member was given another role.',
  'member-removal': 'A member was removed, or left.',
  'membership-history-download': 'The history of members was downloaded.',
  'invitation-creation': 'Somebody was invited.',
  'invitation-resending': 'An invitation was sent again.',
  'invitation-revocation': 'An invitation was revoked.',
  'invitation-acceptance': 'An invitation was accepted.',
  'domain-creation': 'A domain of the organization was named.',
  'domain-verification': 'A domain was proved by its record in the DNS.',
  'domain-deletion': 'A domain of the organization was deleted.',
  'sso-connection-creation': 'A connection to an identity provider was added.',
  'sso-connection-update': 'A connection to an identity provider was changed.',
  'sso-connection-activation': 'People may sign in through a connection.',
  'sso-connection-deactivation': 'Nobody may sign in through a connection any more.',
  'sso-connection-deletion': 'A connection to an identity provider was deleted.',
  'sso-authentication': 'A person came back from an identity provider, and was signed in or refused.',
  'break-glass-admin-addition': 'A Creator was made a break-glass admin.',
  'break-glass-admin-removal': 'A break-glass admin was made a member like others.',
  'break-glass-sign-in': 'A break-glass admin signed in where members must use single sign-on.',
  'ip-rule-creation': 'A rule was made about the addresses from which callers come in.',
  'ip-rule-deletion': 'A rule about addresses was deleted.',
  'user-creation': 'A person signed up.',
  'user-update': 'A person changed their name, language or address.',
  'user-deletion': 'A person deleted their account.',
  'sign-in-link-creation': 'The operator made a link by which a person signs in once.',
  'session-creation': 'A person signed in.',
  'session-reauthentication': 'A person who was signed in proved once more who they are.',
  'session-end': 'A session ended: by signing out, by its owner from another one, or brought from another device.',
  'second-factor-update': 'A second factor was set up or taken off, or its recovery codes were made anew.',
  'passkey-creation': 'A passkey was registered.',
  'passkey-renaming': 'A passkey was renamed.',
  'passkey-deletion': 'A passkey was deleted.',
  'password-update': 'A password was changed or reset.',
} as const;

/** Every act that the audit trail keeps. */
export const auditActions = { ...eventTypes, ...unannounced } as const;
export type AuditAction = keyof typeof auditActions;
