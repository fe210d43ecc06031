import { Type } from 'typebox';
import { act } from './act.ts';
import { oneOf, orNull, text, texts } from './fields.ts';

const ofModel = { model_id: text };
const ofAlias = { model_id: text, alias: text };
/**
 * `signals`: what is beyond its threshold, or was, in lines such as `income (values): 0.21 > 0.08` or
 * `orders.amount (removed)`; of an alarm that was extended, what came to it. Older alarms lack `kind`.
 */
const ofAlarm = {
  status: oneOf(['raised', 'extended', 'cleared']),
  kind: Type.Optional(oneOf(['drift', 'performance', 'contract'])),
  model: text,
  model_id: text,
  alarm_id: text,
  signals: texts,
};

export const modelActs = {
  'task-creation': act({
    ...{ means: 'A task was defined.', readBy: 'view_models', audit: 'data', reach: 'audit' },
    payload: { name: text },
  }),
  'task-deletion': act({
    ...{ means: 'A task was deleted.', readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: { name: text },
  }),
  'training-run-lifecycle': act({
    means: 'A training run went to another status.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'failed', 'interrupted']),
      // Of a run that has succeeded: what it took, which is metered, and what it made.
      minutes: Type.Optional(Type.Integer()),
      model_id: Type.Optional(orNull(text)),
      version_id: Type.Optional(orNull(text)),
    },
  }),
  'training-run-failure': act({
    means: 'A training run failed, so that it made no version.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks', byDefault: true },
    // Without the detail of the failure, which may quote rows.
    payload: { code: text, name: Type.Optional(text), entity: Type.Optional(text) },
  }),
  'evaluation-lifecycle': act({
    means: 'An evaluation of a version went to another status.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'failed', 'interrupted']),
      model_id: Type.Optional(text),
      version_id: Type.Optional(text),
    },
  }),
  'validation-lifecycle': act({
    means: 'A validation of a version went to another status.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'failed', 'interrupted']),
      model_id: text,
      version_id: text,
    },
  }),
  'model-version-validation': act({
    means: 'A version was held against the one that it would replace.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks', byDefault: true },
    payload: {
      model_id: text,
      validation_id: text,
      alias: orNull(text),
      compare_with: orNull(text),
      verdict: oneOf(['better', 'equal', 'worse', 'broken', 'drifted', 'misscaled', 'cannot_tell']),
      // The gates of the model that it does not pass.
      failed: texts,
    },
  }),
  'model-version-approval': act({
    ...{ means: 'A person approved a version for an alias.', readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: { ...ofAlias, comment: Type.Optional(text) },
  }),
  'model-gates-update': act({
    means: 'The gates of a model were changed, which versions pass before they are given an alias.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    // checks: those of which something is said; changes, which older entries lack: what was and what is, in lines such
    // as `discrimination.threshold: -0.02 → -0.01`.
    payload: {
      ...{ approvals: Type.Integer(), automatic: Type.Boolean(), checks: texts },
      changes: Type.Optional(texts),
    },
  }),
  'model-gates-override': act({
    means: 'A Creator gave a version an alias although it does not pass the gates of its model.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks', byDefault: true },
    payload: { ...ofAlias, reason: text, gates: texts },
  }),
  'backtest-lifecycle': act({
    means: 'A backtest of a version went to another status.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'failed', 'interrupted']),
      model_id: Type.Optional(text),
      version_id: Type.Optional(text),
    },
  }),
  'backtest-deletion': act({
    means: 'A backtest of a version was deleted, with its result.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: { model_id: text, version_id: text },
  }),
  'model-deletion': act({
    ...{ means: 'A model was deleted with its versions.', readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: { name: text, task_id: text, versions: Type.Integer() },
  }),
  'model-version-creation': act({
    means: 'A training run made a version.',
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks', byDefault: true },
    payload: ofModel,
  }),
  'model-version-activation': act({
    ...{ means: 'A version was activated.', readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: ofModel,
  }),
  'model-version-deactivation': act({
    ...{ means: 'A version was deactivated.', readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: ofModel,
  }),
  'model-version-promotion': act({
    ...{ means: 'A version was given an alias.', readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: ofAlias,
  }),
  'model-version-demotion': act({
    ...{ means: 'A version lost an alias.', readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: ofAlias,
  }),
  'alias-split-update': act({
    means: 'A version was set to answer a share of those whom an alias is asked about, or another share.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: { ...ofAlias, share: Type.Number() },
  }),
  'alias-split-end': act({
    means: 'The split of an alias has ended: the version that it points at answers all of it.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    // ended: somebody did; replaced: by another version; moved, removed: what became of the alias; failed: the version.
    payload: { ...ofAlias, because: oneOf(['ended', 'replaced', 'moved', 'removed', 'failed']) },
  }),
  'model-version-rollback': act({
    means: 'An alias was moved back to the version before, as its version failed.',
    ...{ readBy: 'view_models', audit: 'system', reach: 'webhooks', byDefault: true },
    // Of the version that failed; what was beyond its threshold, in lines such as `income (values): 0.21 > 0.08`.
    payload: { ...ofAlias, to_version_id: text, signals: texts },
  }),
  'model-drift': act({
    means:
      'What a version is asked, or answers, differs for certain from what it was, or what it reads is taken away by a contract; or does so no more.',
    ...{ readBy: 'view_models', audit: 'system', reach: 'webhooks', byDefault: true },
    payload: ofAlarm,
  }),
  'model-performance': act({
    means: 'What came of predictions is for certain not what the version promised; or is again.',
    ...{ readBy: 'view_models', audit: 'system', reach: 'webhooks', byDefault: true },
    payload: ofAlarm,
  }),
  'monitor-update': act({
    means: 'It was changed how a model is watched.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'audit' },
    payload: {
      enabled: Type.Boolean(),
      auto_rollback: Type.Boolean(),
      rollback_days: Type.Integer(),
      outcomes_min: Type.Integer(),
      reference_from: orNull(text),
    },
  }),
  'shadow-update': act({
    means: 'A version was set to answer what an alias is asked too, or of how many.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: { ...ofAlias, share: Type.Number() },
  }),
  'shadow-end': act({
    means: 'A version was set to answer no more beside an alias.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'webhooks' },
    payload: ofAlias,
  }),
  'gfm-version-release': act({
    means: 'The operator released a version of the graph model.',
    ...{ readBy: 'view_models', audit: 'system', reach: 'webhooks' },
    payload: { name: text, model_snapshot: text },
  }),
  'gfm-version-adoption': act({
    means: 'The workspace chose the version of the graph model that it reads.',
    ...{ readBy: 'view_models', audit: 'admin', reach: 'audit' },
    payload: { name: text },
  }),
  'rfm-version-creation': act({
    means: "A training run made a version of the workspace's relational model.",
    ...{ readBy: 'view_models', audit: 'data', reach: 'webhooks' },
    payload: { entity: text },
  }),
  'rfm-version-export': act({
    means: "A version of the workspace's relational model was exported, with the models that answered then.",
    ...{ readBy: 'view_models', audit: 'data', reach: 'audit' },
    payload: { models: texts },
  }),
} as const;

const ofWatchList = { name: text, model_id: text, alias: text };

const replayOrigin = oneOf(['request', 'self_check']);

export const predictionActs = {
  'prediction-request': act({
    ...{ means: 'A prediction was answered.', readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    payload: { model_id: text, version_id: text, alias: orNull(text) },
  }),
  'prediction-replay': act({
    means: 'A prediction of the log was answered again, to see whether the answer is the same to the byte.',
    ...{ readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    payload: { bit_identical: Type.Boolean() },
  }),
  'replay-lifecycle': act({
    means: 'A replay of predictions, or of a batch, went to another status.',
    ...{ readBy: 'invoke_predictions', audit: 'data', reach: 'webhooks' },
    payload: {
      status: oneOf(['queued', 'running', 'succeeded', 'failed', 'interrupted']),
      origin: replayOrigin,
      // Of a replay that has ended: what it has found.
      identical: Type.Optional(Type.Integer()),
      different: Type.Optional(Type.Integer()),
      gone: Type.Optional(Type.Integer()),
    },
  }),
  'replay-difference': act({
    means:
      'A replay found predictions that are not answered as they were, or that the log does not have as they were answered.',
    ...{ readBy: 'invoke_predictions', audit: 'system', reach: 'webhooks', byDefault: true },
    payload: { origin: replayOrigin, different: Type.Integer() },
  }),
  'counterfactual-request': act({
    means: 'Somebody asked what would have to be otherwise for a prediction to be another.',
    ...{ readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    // As how many predictions it counts.
    payload: {
      model_id: text,
      version_id: text,
      alias: orNull(text),
      found: Type.Boolean(),
      predictions: Type.Integer(),
    },
  }),
  'watch-list-creation': act({
    ...{ means: 'A watch list was made.', readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    payload: { ...ofWatchList, entries: Type.Integer() },
  }),
  'watch-list-update': act({
    means: 'A watch list was changed, or who is on it.',
    ...{ readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    payload: { ...ofWatchList, added: Type.Integer(), removed: Type.Integer() },
  }),
  'watch-list-deletion': act({
    ...{ means: 'A watch list was deleted.', readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    payload: ofWatchList,
  }),
  'watch-list-move': act({
    means: 'An entity of a watch list moved to another band or class, or by its threshold; or many did.',
    ...{ readBy: 'invoke_predictions', audit: 'system', reach: 'webhooks', byDefault: true },
    payload: {
      ...ofWatchList,
      version_id: text,
      because: oneOf(['data', 'time', 'version']),
      as_of: text,
      // How many there are; of one, what it is. The key of the entity is told by the API alone.
      moves: Type.Integer(),
      entry_id: Type.Optional(text),
      move_id: Type.Optional(text),
      from_band: Type.Optional(orNull(text)),
      to_band: Type.Optional(orNull(text)),
      from_score: Type.Optional(Type.Number()),
      to_score: Type.Optional(Type.Number()),
    },
  }),
  'prediction-expiry': act({
    means: 'Predictions were removed, as old as predictions are kept.',
    ...{ readBy: 'view_activity_logs', audit: 'system', reach: 'audit' },
    payload: { predictions: Type.Integer(), before: text },
  }),
  'outcome-receipt': act({
    means: 'What came of predictions was taken in.',
    ...{ readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    payload: { created: Type.Integer(), corrected: Type.Integer() },
  }),
  'personal-data-reveal': act({
    means: 'Somebody had the CPF shown of whom a prediction or an entity is about, which the dashboard masks.',
    ...{ readBy: 'invoke_predictions', audit: 'data', reach: 'audit' },
    // Of an entity, whose target is a fingerprint of its key: the table.
    payload: { table: Type.Optional(text) },
  }),
  'embedding-request': act({
    ...{ means: 'Embeddings were asked for.', readBy: 'invoke_predictions', audit: 'data', reach: 'webhooks' },
    payload: { source: text, entities: Type.Integer() },
  }),
} as const;
