import { Type } from 'typebox';
import { act } from './act.ts';
import { failure, oneOf, orNull, text, texts } from './fields.ts';

/** The model for rows that name none. */
const ofModel = orNull(Type.Object({ model_id: text, alias: orNull(text), version_id: text }));

export const batchActs = {
  'batch-input-upload-request': act({
    ...{ means: 'A batch input file upload was requested.', readBy: 'view_files', audit: 'data', reach: 'webhooks' },
    payload: { files: Type.Array(Type.Object({ id: text, path: text })) },
  }),
  'batch-input-upload': act({
    ...{ means: 'The bytes of a batch input arrived.', readBy: 'view_files', audit: 'data', reach: 'audit' },
    payload: { path: text },
  }),
  'batch-input-deletion': act({
    ...{ means: 'A batch input was deleted.', readBy: 'view_files', audit: 'data', reach: 'webhooks' },
    payload: { path: Type.Optional(text), reason: Type.Optional(oneOf(['erasure', 'never_sent'])) },
  }),
  'file-download': act({
    ...{ means: 'A file was downloaded.', readBy: 'view_files', audit: 'data', reach: 'audit' },
    payload: { path: text },
  }),
  'batch-request': act({
    ...{ means: 'A batch run was requested.', readBy: 'view_batches', audit: 'data', reach: 'webhooks' },
    payload: { files: texts, model: ofModel },
  }),
  'batch-interrupt-request': act({
    ...{ means: 'An interruption of a batch was requested.', readBy: 'view_batches', audit: 'data', reach: 'webhooks' },
  }),
  'batch-lifecycle': act({
    means: 'A batch went to another status: queued, running, succeeded or failed.',
    ...{ readBy: 'view_batches', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'failed']),
      failure: Type.Optional(failure),
      // Of a batch that has ended: the rows of its result, which are metered, and the model asked for.
      rows_scored: Type.Optional(Type.Integer()),
      model: Type.Optional(ofModel),
    },
  }),
  'batch-result-download': act({
    ...{ means: 'A result was downloaded.', readBy: 'view_batches', audit: 'data', reach: 'webhooks' },
    payload: { files: Type.Optional(texts) },
  }),
  'batch-result-deletion': act({
    ...{ means: 'A result was deleted.', readBy: 'view_batches', audit: 'data', reach: 'webhooks' },
    payload: { reason: Type.Optional(oneOf(['erasure'])) },
  }),
  'batch-expiry': act({
    means: 'A batch was removed with its result, as old as batches are kept.',
    ...{ readBy: 'view_batches', audit: 'system', reach: 'audit' },
  }),
} as const;

export const dataActs = {
  'data-contract-version': act({
    means: 'A contract version was proposed, accepted or rejected.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: { status: oneOf(['proposed', 'active', 'rejected']), ingestion_id: Type.Optional(text) },
  }),
  'data-contract-deviation': act({
    means: 'A file deviates from the contract: a new version of it is proposed, or the file has errors.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks', byDefault: true },
    payload: {
      classification: oneOf(['new_contract_version', 'data_error']),
      proposed_contract_id: orNull(text),
    },
  }),
  'ingestion-lifecycle': act({
    means: 'An ingestion went to another status.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'refused', 'failed', 'interrupted']),
      kind: Type.Optional(oneOf(['delivery', 'reread'])),
    },
  }),
  'table-rows-view': act({
    ...{ means: 'Rows of a table were read.', readBy: 'view_files', audit: 'data', reach: 'audit' },
    payload: { rows: Type.Integer() },
  }),
  'erasure-lifecycle': act({
    means: 'An erasure was asked for, done or interrupted, or failed.',
    ...{ readBy: 'upload_files', audit: 'data', reach: 'webhooks' },
    payload: { status: oneOf(['queued', 'succeeded', 'failed', 'interrupted']) },
  }),
  'object-damage': act({
    means: 'A stored object was found not to be what was stored; nothing was made of it.',
    ...{ readBy: 'view_activity_logs', audit: 'system', reach: 'webhooks' },
    payload: { expected_sha256: orNull(text), found: orNull(text) },
  }),
} as const;
