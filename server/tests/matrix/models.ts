/** What routes about models answer: how they are trained, judged, promoted and watched. */
import { newId } from '../../src/lib/crypto/ids.ts';
import type { Client } from '../service.ts';
import type { World } from '../world.ts';
import { aliasIds, type Expectation, interruptNewest, manage, unused, viewModels } from './expectation.ts';

const files = { right: 'Upload, download, delete files', status: 200 };
const newWatchList = {
  ids: ({ watchList }: World) => [watchList],
  fresh: async ({ model, alias }: World, creator: Client) => [
    (await creator.post('/v1/api/watch-lists', { name: unused(), model: `${model}/${alias}` })).body.id,
  ],
};

/** A version of the graph model, which no workspace owns. */
export const released = newId('gfm');

export const ofModels: Readonly<Record<string, Expectation>> = {
  'POST /v1/api/training-runs': {
    ...manage,
    status: 202,
    idsInBody: true,
    body: ({ task }) => ({ task_id: task, model: unused() }),
    undo: (session) => interruptNewest(session, '/v1/api/training-runs'),
    audit: 'training-run-lifecycle',
  },
  'GET /v1/api/training-runs': { ...viewModels, list: true },
  'GET /v1/api/training-runs/{id}': { ...viewModels, ids: ({ run }) => [run] },
  'GET /v1/api/training-runs/{id}/events': { ...viewModels, ids: ({ run }) => [run] },
  'POST /v1/api/training-runs/{id}/interrupt': {
    ...manage,
    ids: ({ run }) => [run],
    fresh: async ({ task }, creator) => [
      (await creator.post('/v1/api/training-runs', { task_id: task, model: unused() })).body.id,
    ],
    audit: 'training-run-lifecycle',
  },

  'POST /v1/api/evaluations': {
    right: 'Create batches; cancel batches',
    status: 202,
    idsInBody: true,
    body: ({ file, model, alias }) => ({ file, model: `${model}/${alias}` }),
    mixed: (own, foreign) => [
      { file: own.file, model: `${foreign.model}/${foreign.alias}` },
      { file: own.file, model: foreign.run },
      { file: own.file, model: own.run, compare_with: { model_id: foreign.model, version_id: foreign.version } },
      { file: { path: `${foreign.canary}/customers.csv` }, model: own.run },
    ],
    audit: 'evaluation-lifecycle',
  },
  'GET /v1/api/evaluations': { ...viewModels, list: true },
  'GET /v1/api/evaluations/{id}': { ...viewModels, ids: ({ evaluation }) => [evaluation] },
  'POST /v1/api/evaluations/{id}/interrupt': {
    right: 'Create batches; cancel batches',
    status: 200,
    ids: ({ evaluation }) => [evaluation],
    fresh: async ({ file, run }, creator) => [
      (await creator.post('/v1/api/evaluations', { file, model: run })).body.id,
    ],
    audit: 'evaluation-lifecycle',
  },

  'PUT /v1/api/models/{model_id}/aliases/{alias}/split': {
    ...manage,
    ids: ({ model, alias }) => [model, alias],
    body: ({ spare }) => ({ version_id: spare, share: 0.25 }),
    idsInBody: true,
    audit: 'alias-split-update',
  },
  'GET /v1/api/models/{model_id}/aliases/{alias}/split': {
    ...viewModels,
    ids: ({ model, alias }) => [model, alias],
  },
  'DELETE /v1/api/models/{model_id}/aliases/{alias}/split': {
    ...manage,
    status: 204,
    ids: ({ model, alias }) => [model, alias],
    fresh: async ({ model, alias, spare }, creator) => {
      const body = { version_id: spare, share: 0.5 };
      await creator.send('PUT', `/v1/api/models/${model}/aliases/${alias}/split`, { body });
      return [model, alias];
    },
    audit: 'alias-split-end',
  },
  'PUT /v1/api/models/{model_id}/shadows/{version_id}': {
    ...manage,
    ids: ({ model, spare }) => [model, spare],
    body: ({ alias }) => ({ alias, share: 0.5 }),
    audit: 'shadow-update',
  },
  'GET /v1/api/models/{model_id}/shadows/{version_id}': { ...viewModels, ids: ({ model, spare }) => [model, spare] },
  'DELETE /v1/api/models/{model_id}/shadows/{version_id}': {
    ...manage,
    status: 204,
    ids: ({ model, spare }) => [model, spare],
    fresh: async ({ model, spare, alias }, creator) => {
      await creator.send('PUT', `/v1/api/models/${model}/shadows/${spare}`, { body: { alias, share: 1 } });
      return [model, spare];
    },
    audit: 'shadow-end',
  },
  'GET /v1/api/models/{model_id}/shadows': { ...viewModels, ids: ({ model }) => [model] },
  'POST /v1/api/backtests': {
    right: 'Create batches; cancel batches',
    status: 202,
    idsInBody: true,
    body: ({ model, version }) => ({ model: `${model}/${version}` }),
    mixed: (own, foreign) => [
      { model: `${foreign.model}/${foreign.version}` },
      { model: `${own.model}/${own.version}`, compare_with: `${foreign.model}/${foreign.version}` },
    ],
    audit: 'backtest-lifecycle',
  },
  'GET /v1/api/backtests': { ...viewModels, list: true },
  'GET /v1/api/backtests/{id}': { ...viewModels, ids: ({ backtest }) => [backtest] },
  'POST /v1/api/backtests/{id}/interrupt': {
    right: 'Create batches; cancel batches',
    status: 200,
    ids: ({ backtest }) => [backtest],
    fresh: async ({ model, version }, creator) => [
      (await creator.post('/v1/api/backtests', { model: `${model}/${version}` })).body.id,
    ],
    audit: 'backtest-lifecycle',
  },
  'GET /v1/api/models/{model_id}/versions/{version_id}/backtests': {
    ...viewModels,
    ids: ({ model, spare }) => [model, spare],
    list: true,
  },
  'DELETE /v1/api/backtests/{id}': {
    right: 'Create batches; cancel batches',
    status: 204,
    ids: ({ backtest }) => [backtest],
    fresh: async ({ model, version }, creator) => [
      (await creator.post('/v1/api/backtests', { model: `${model}/${version}` })).body.id,
    ],
    audit: 'backtest-deletion',
  },

  'GET /v1/api/rfm-versions': { ...viewModels, list: true },
  'GET /v1/api/rfm-versions/{id}': { ...viewModels, ids: ({ encoder }) => [encoder] },
  'GET /v1/api/rfm-versions/{id}/export': { ...files, ids: ({ encoder }) => [encoder] },
  'GET /v1/api/gfm-versions': viewModels,
  'GET /v1/api/gfm-versions/{id}': { ...viewModels, ids: () => [released], isShared: true },
  'POST /v1/api/gfm-versions/{id}/adoption': {
    ...manage,
    ids: () => [released],
    isShared: true,
    audit: 'gfm-version-adoption',
  },
  'GET /v1/api/models': { ...viewModels, list: true },
  'GET /v1/api/models/{model_id}': { ...viewModels, ids: ({ model }) => [model] },
  'DELETE /v1/api/models/{model_id}': {
    ...manage,
    status: 204,
    ids: ({ model }) => [model],
    fresh: async ({ task }, creator) => {
      const { body: run } = await creator.post('/v1/api/training-runs', { task_id: task, model: unused() });
      await creator.post(`/v1/api/training-runs/${run.id}/interrupt`);
      return [run.model_id];
    },
    audit: 'model-deletion',
  },
  'GET /v1/api/models/{model_id}/monitoring': { ...viewModels, ids: ({ model }) => [model] },
  'GET /v1/api/models/{model_id}/alarms': { ...viewModels, ids: ({ model }) => [model] },
  'GET /v1/api/models/{model_id}/monitor': { ...viewModels, ids: ({ model }) => [model] },
  'PUT /v1/api/models/{model_id}/monitor': {
    ...manage,
    ids: ({ model }) => [model],
    body: () => ({}),
    audit: 'monitor-update',
  },
  'GET /v1/api/models/{model_id}/versions': { ...viewModels, ids: ({ model }) => [model], list: true },
  'GET /v1/api/models/{model_id}/versions/{version_id}': { ...viewModels, ids: versionIds },
  'GET /v1/api/models/{model_id}/versions/{version_id}/features': { ...viewModels, ids: versionIds },
  'GET /v1/api/models/{model_id}/versions/{version_id}/metrics': { ...viewModels, ids: versionIds },
  'GET /v1/api/models/{model_id}/versions/{version_id}/document': { ...viewModels, ids: versionIds },
  'GET /v1/api/models/{model_id}/versions/{version_id}/labelled-file': { ...viewModels, ids: versionIds },
  'POST /v1/api/models/{model_id}/versions/{version_id}/activation': {
    ...manage,
    ids: versionIds,
    fresh: async ({ model, spare }, creator) => {
      await creator.post(`/v1/api/models/${model}/versions/${spare}/deactivation`);
      return [model, spare];
    },
    audit: 'model-version-activation',
  },
  'POST /v1/api/models/{model_id}/versions/{version_id}/deactivation': {
    ...manage,
    ids: versionIds,
    fresh: async ({ model, spare }, creator) => {
      await creator.post(`/v1/api/models/${model}/versions/${spare}/activation`);
      return [model, spare];
    },
    audit: 'model-version-deactivation',
  },
  'GET /v1/api/models/{model_id}/versions/{version_id}/validations': {
    ...viewModels,
    ids: ({ model, spare }) => [model, spare],
    list: true,
  },
  'POST /v1/api/models/{model_id}/versions/{version_id}/validations': {
    ...manage,
    status: 202,
    ids: versionIds,
    body: () => ({}),
    audit: 'validation-lifecycle',
  },
  'GET /v1/api/models/{model_id}/versions/{version_id}/validations/{id}': { ...viewModels, ids: validationIds },
  'POST /v1/api/models/{model_id}/versions/{version_id}/validations/{id}/interrupt': {
    ...manage,
    ids: validationIds,
    fresh: async ({ model, spare }, creator) => {
      const { body } = await creator.post(`/v1/api/models/${model}/versions/${spare}/validations`, {});
      return [model, spare, body.id];
    },
    audit: 'validation-lifecycle',
  },
  'GET /v1/api/models/{model_id}/versions/{version_id}/approvals': { ...viewModels, ids: versionIds },
  'POST /v1/api/models/{model_id}/versions/{version_id}/approvals': {
    ...manage,
    status: 201,
    ids: versionIds,
    body: () => ({ alias: unused() }),
    audit: 'model-version-approval',
  },
  'GET /v1/api/models/{model_id}/gates': { ...viewModels, ids: ({ model }) => [model] },
  'PUT /v1/api/models/{model_id}/gates': {
    ...manage,
    ids: ({ model }) => [model],
    body: () => ({}),
    audit: 'model-gates-update',
  },
  'GET /v1/api/models/{model_id}/aliases/{alias}': { ...viewModels, ids: aliasIds },
  'PUT /v1/api/models/{model_id}/aliases/{alias}': {
    ...manage,
    ids: aliasIds,
    idsInBody: true,
    body: ({ version }) => ({ version_id: version }),
    fresh: async ({ model }) => [model, unused()],
    audit: 'model-version-promotion',
  },
  'DELETE /v1/api/models/{model_id}/aliases/{alias}': {
    ...manage,
    status: 204,
    ids: aliasIds,
    fresh: async ({ model, version }, creator) => {
      const alias = unused();
      await creator.send('PUT', `/v1/api/models/${model}/aliases/${alias}`, { body: { version_id: version } });
      return [model, alias];
    },
    audit: 'model-version-demotion',
  },

  'POST /v1/api/watch-lists': {
    ...manage,
    status: 201,
    idsInBody: true,
    body: ({ model, alias, canary }) => ({ name: unused(), model: `${model}/${alias}`, keys: [`${canary}C1`] }),
    audit: 'watch-list-creation',
  },
  'GET /v1/api/watch-lists': { ...manage, list: true },
  'GET /v1/api/watch-lists/{id}': { ...manage, ids: ({ watchList }) => [watchList] },
  'PATCH /v1/api/watch-lists/{id}': {
    ...manage,
    ids: ({ watchList }) => [watchList],
    body: () => ({ threshold: { share: 0.5 } }),
    audit: 'watch-list-update',
  },
  'DELETE /v1/api/watch-lists/{id}': { ...manage, status: 204, ...newWatchList, audit: 'watch-list-deletion' },
  'GET /v1/api/watch-lists/{id}/entries': { ...manage, ids: ({ watchList }) => [watchList] },
  'PUT /v1/api/watch-lists/{id}/entries': {
    ...{ ...manage, ...newWatchList },
    body: ({ canary }) => ({ keys: [`${canary}C3`] }),
    audit: 'watch-list-update',
  },
  'POST /v1/api/watch-lists/{id}/entries': {
    ...{ ...manage, ...newWatchList },
    body: ({ canary }) => ({ keys: [`${canary}C3`] }),
    audit: 'watch-list-update',
  },
  'POST /v1/api/watch-lists/{id}/entries/removal': {
    ...{ ...manage, ...newWatchList },
    body: ({ canary }) => ({ keys: [`${canary}C3`] }),
    audit: 'watch-list-update',
  },
  'GET /v1/api/watch-lists/{id}/moves': { ...manage, ids: ({ watchList }) => [watchList] },
};

function versionIds({ model, version }: World) {
  return [model, version];
}

function validationIds({ model, spare, validation }: World) {
  return [model, spare, validation];
}
