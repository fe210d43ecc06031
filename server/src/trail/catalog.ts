/** The catalog: one name each for what a webhook says, a notification tells and the audit trail keeps. */
export const eventTypes = {
  'batch-input-upload-request': 'A batch input file upload was requested.',
  'batch-input-deletion': 'A batch input was deleted.',
  'batch-request': 'A batch run was requested.',
  'batch-interrupt-request': 'An interruption of a batch was requested.',
  'batch-lifecycle': 'A batch went to another status: queued, running, succeeded or failed.',
  'batch-result-download': 'A result was downloaded.',
  'batch-result-deletion': 'A result was deleted.',
  'model-version-creation': 'A training run made a version.',
  'model-version-activation': 'A version was activated.',
  'model-version-deactivation': 'A version was deactivated.',
  'model-version-promotion': 'A version was given an alias.',
  'model-version-demotion': 'A version lost an alias.',
  'gfm-version-release': 'The operator released a version of the graph model.',
  'rfm-version-creation': "A training run made a version of the workspace's relational model.",
  'embedding-request': 'Embeddings were asked for.',
  'training-run-lifecycle': 'A training run went to another status.',
  'ingestion-lifecycle': 'An ingestion went to another status.',
  'data-contract-version': 'A contract version was proposed, accepted or rejected.',
  'data-contract-deviation': 'A file deviates from the contract.',
  'erasure-lifecycle': 'An erasure was asked for or done.',
  'workspace-creation': 'A workspace was created.',
  'workspace-update': 'A workspace was changed.',
  'workspace-archival': 'A workspace was archived.',
  'workspace-unarchival': 'A workspace was taken out of the archive.',
  'api-key-creation': 'A key was created.',
  'api-key-deletion': 'A key was deleted.',
  'api-key-recycling': 'A key was rotated.',
  'api-key-renaming': 'A key was renamed.',
} as const;
export type EventType = keyof typeof eventTypes;

/** What only the audit trail keeps. */
export const auditActions = {
  ...eventTypes,
  'prediction-consumption': 'A prediction was answered.',
  'batch-input-upload': 'The bytes of a batch input arrived.',
  'gfm-version-adoption': 'The workspace chose the version of the graph model that it reads.',
  'rfm-version-export':
    "A version of the workspace's relational model was exported, with the models that answered then.",
  'task-creation': 'A task was defined.',
  'file-download': 'A file was downloaded.',
  'access-denial': 'A call was refused for want of a right.',
  'organization-creation': 'An organization was created.',
  'member-addition': 'A member was added.',
} as const;
export type AuditAction = keyof typeof auditActions;
