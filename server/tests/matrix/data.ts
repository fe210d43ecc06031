/** What routes about data, predictions, batches and events answer. */
import type { Client } from '../service.ts';
import { contractText, makeBatch, type World } from '../world.ts';
import { aliasIds, anyone, type Expectation, interruptNewest, manage, unused, viewModels } from './expectation.ts';

const files = { right: 'Upload, download, delete files', status: 200 };
/** Whoever may read anything is told of some events; which, is not the matrix's to say. */
const events = { right: 'View members', status: 200 };
const viewBatches = { right: 'View batches', status: 200 };
const results = { right: 'Download results; delete results', status: 200 };
const webhooks = { right: 'Manage API keys; manage webhooks', status: 200 };
/** To this machine, where nothing is sent by https. */
const webhook = () => ({ url: `https://localhost:9443/${unused()}`, events: ['model-version-*'] });
const newWebhook = {
  ids: ({ webhook }: World) => [webhook],
  fresh: async (_: World, creator: Client) => [(await creator.post('/v1/api/webhooks', webhook())).body.id],
};
const sunset = { right: 'anyone', status: 410 };
/** A task whose labels the file of customers has. */
const segmentTask = 'entity: customers\nkey: customer_id\ntime: since\nlabel: segment\nkind: multiclass\n';

const declared = () => ({ files: [{ path: `${unused()}.csv`, content_type: 'text/csv', md5: `${'A'.repeat(22)}==` }] });

export const ofData: Readonly<Record<string, Expectation>> = {
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
  'POST /v1/api/risk_score': sunset,
  'POST /v1/api/entities/context/contact': sunset,
  'POST /v1/api/entities/context/transaction': sunset,
  'POST /v1/api/entities/context/invoices': sunset,

  'POST /v2/api/files/upload': { ...files, status: 201, body: declared, audit: 'batch-input-upload-request' },
  'PUT /v2/api/files/{id}/upload': { right: 'address', status: 403, ids: ({ file }) => [file] },
  'PATCH /v2/api/files/{id}/upload': { right: 'address', status: 403, ids: ({ file }) => [file] },
  'GET /v2/api/files/{id}/upload': { right: 'address', status: 403, ids: ({ file }) => [file] },
  'GET /v2/api/files': { right: 'View files', status: 200, list: true },
  'GET /v2/api/files/{id}': { right: 'View files', status: 200, ids: ({ file }) => [file] },
  'GET /v2/api/files/{id}/lineage': { right: 'View files', status: 200, ids: ({ file }) => [file] },
  'GET /v2/api/files/{id}/content': { ...files, ids: ({ file }) => [file] },
  'DELETE /v2/api/files/{id}': {
    ...files,
    ids: ({ file }) => [file],
    fresh: async (_, creator) => [(await creator.post('/v2/api/files/upload', declared())).body.files[0].id],
    audit: 'batch-input-deletion',
  },

  'POST /v1/api/contracts': {
    ...files,
    status: 201,
    body: () => ({ document: contractText('fresh') }),
    audit: 'data-contract-version',
  },
  'POST /v1/api/contracts/{id}/acceptance': {
    ...files,
    ids: ({ contract }) => [contract],
    fresh: proposeContract,
    audit: 'data-contract-version',
  },
  'POST /v1/api/contracts/{id}/rejection': {
    ...files,
    ids: ({ contract }) => [contract],
    fresh: proposeContract,
    audit: 'data-contract-version',
  },
  'GET /v1/api/contracts': { ...viewModels, list: true },
  'GET /v1/api/contracts/{id}': { ...viewModels, ids: ({ contract }) => [contract] },

  'POST /v1/api/ingestions': {
    ...files,
    status: 202,
    idsInBody: true,
    body: ({ file }) => ({ files: [{ file_id: file, table: 'customers' }] }),
    audit: 'ingestion-lifecycle',
  },
  'GET /v1/api/ingestions': { ...viewModels, list: true },
  'GET /v1/api/ingestions/{id}': { ...viewModels, ids: ({ ingestion }) => [ingestion] },
  'POST /v1/api/ingestions/{id}/interrupt': {
    ...files,
    ids: ({ ingestion }) => [ingestion],
    fresh: async ({ file }, creator) => [
      (await creator.post('/v1/api/ingestions', { files: [{ file_id: file, table: 'customers' }] })).body.id,
    ],
    audit: 'ingestion-lifecycle',
  },
  'GET /v1/api/ingestions/{id}/deviations': { ...files, ids: ({ ingestion }) => [ingestion] },

  // Both worlds have a table of this name: whose rows are told is seen by their canaries.
  'GET /v1/api/tables/{table}/rows': { ...files, ids: () => ['customers'], isShared: true },

  'POST /v1/api/tasks': {
    ...manage,
    status: 201,
    idsInBody: true,
    body: ({ file }) => ({ name: unused(), definition: segmentTask, labels: { train: file } }),
    audit: 'task-creation',
  },
  'GET /v1/api/tasks': { ...viewModels, list: true },
  'GET /v1/api/tasks/{id}': { ...viewModels, ids: ({ task }) => [task] },
  'POST /v1/api/tasks/question': {
    ...manage,
    isRead: true,
    body: () => ({ definition: 'PREDICT exists(orders) WITHIN 30d FOR customers' }),
  },
  'GET /v1/api/tasks/{id}/labels': {
    ...manage,
    ids: ({ task }) => [task],
    fresh: async (_, creator) => [
      (
        await creator.post('/v1/api/tasks', {
          name: unused(),
          definition: 'PREDICT first(orders) WITHIN 30d FOR customers',
        })
      ).body.id,
    ],
  },

  'DELETE /v1/api/tasks/{id}': {
    ...manage,
    status: 204,
    ids: ({ task }) => [task],
    fresh: async (_, creator) => [
      (
        await creator.post('/v1/api/tasks', {
          name: unused(),
          definition: 'PREDICT exists(orders) WITHIN 30d FOR customers',
        })
      ).body.id,
    ],
    audit: 'task-deletion',
  },

  'POST /v1/api/embeddings': {
    ...manage,
    idsInBody: true,
    body: ({ canary, encoder }) => ({ keys: [`${canary}C1`], rfm_version_id: encoder }),
    audit: 'embedding-request',
  },
  'POST /v1/api/embeddings/neighbors': {
    ...manage,
    idsInBody: true,
    body: ({ canary, encoder }) => ({ key: `${canary}C1`, rfm_version_id: encoder }),
    audit: 'embedding-request',
  },

  'GET /v1/api/embeddings/map': manage,

  'GET /v1/api/entities': manage,
  'GET /v1/api/entities/{table}/{key}': { ...manage, ids: ({ canary }) => ['customers', `${canary}C1`] },
  'POST /v1/api/entities/{table}/{key}/reveal': {
    ...manage,
    status: 204,
    ids: ({ canary }) => ['customers', `${canary}C1`],
    audit: 'personal-data-reveal',
  },
  'GET /v1/api/entities/{table}/{key}/network': { ...manage, ids: ({ canary }) => ['customers', `${canary}C1`] },
  'GET /v1/api/entities/{table}/{key}/path/{to}': {
    ...manage,
    ids: ({ canary }) => ['customers', `${canary}C1`, `${canary}C2`],
  },

  'POST /v1/api/prediction/{model_id}/{name}': {
    ...manage,
    ids: aliasIds,
    body: () => ({ customer_id: 'C1' }),
    audit: 'prediction-request',
  },
  'POST /v1/api/prediction/{model_id}/{name}/counterfactuals': {
    ...manage,
    ids: aliasIds,
    // Of an entity, nothing could be otherwise: the answer alone is asked for.
    body: () => ({ inputs: { customer_id: 'C1' }, changeable: [] }),
    audit: 'counterfactual-request',
  },
  'GET /v1/api/predictions': { ...manage, list: true },
  'GET /v1/api/predictions/statistics': manage,
  'GET /v1/api/predictions/{id}': { ...manage, ids: ({ prediction }) => [prediction] },
  'GET /v1/api/predictions/{id}/lineage': { ...manage, ids: ({ prediction }) => [prediction] },
  'POST /v1/api/predictions/{id}/reveal': {
    ...manage,
    status: 204,
    ids: ({ prediction }) => [prediction],
    audit: 'personal-data-reveal',
  },
  'POST /v1/api/predictions/{id}/replay': {
    ...manage,
    ids: ({ prediction }) => [prediction],
    audit: 'prediction-replay',
  },

  'POST /v1/api/replays': {
    ...manage,
    status: 202,
    idsInBody: true,
    body: ({ batch }) => ({ batch }),
    mixed: (own, foreign) => [{ batch: foreign.batch }, { predictions: { ids: [own.prediction, foreign.prediction] } }],
    audit: 'replay-lifecycle',
  },
  'GET /v1/api/replays': { ...manage, list: true },
  'GET /v1/api/replays/{id}': { ...manage, ids: ({ replay }) => [replay] },
  'POST /v1/api/replays/{id}/interrupt': {
    ...manage,
    ids: ({ replay }) => [replay],
    fresh: async ({ batch }, creator) => [(await creator.post('/v1/api/replays', { batch })).body.id],
    audit: 'replay-lifecycle',
  },

  'POST /v1/api/outcomes': {
    ...manage,
    idsInBody: true,
    body: ({ prediction }) => ({
      outcomes: [{ prediction_id: prediction, value: 1, observed_at: new Date().toISOString() }],
    }),
    audit: 'outcome-receipt',
  },
  'GET /v1/api/outcomes': { ...manage, list: true },
  'GET /v1/api/outcomes/{id}': { ...manage, ids: ({ outcome }) => [outcome] },

  'POST /v1/api/erasures': {
    ...files,
    status: 202,
    body: () => ({ identifier: unused() }),
    audit: 'erasure-lifecycle',
  },
  'GET /v1/api/erasures': { ...files, list: true },
  'POST /v1/api/erasures/{id}/interrupt': {
    ...files,
    ids: ({ erasure }) => [erasure],
    fresh: async (_, creator) => [(await creator.post('/v1/api/erasures', { identifier: unused() })).body.id],
    audit: 'erasure-lifecycle',
  },
  'GET /v1/api/erasures/{id}': { ...files, ids: ({ erasure }) => [erasure] },

  'POST /v2/api/batches': {
    right: 'Create batches; cancel batches',
    status: 202,
    idsInBody: true,
    body: ({ file, model, alias }) => ({ files: [file], model: `${model}/${alias}` }),
    mixed: (own, foreign) => [
      { files: [own.file], model: `${foreign.model}/${foreign.alias}` },
      { files: [own.file], model: { model_id: own.model, version_id: foreign.version } },
      { files: [{ path: `${foreign.canary}/customers.csv` }], model: `${own.model}/${own.alias}` },
    ],
    undo: (session) => interruptNewest(session, '/v2/api/batches'),
    audit: 'batch-request',
  },
  'GET /v2/api/batches': { ...viewBatches, list: true },
  'GET /v2/api/batches/{id}': { ...viewBatches, ids: ({ batch }) => [batch] },
  'POST /v2/api/batches/{id}/interrupt': {
    right: 'Create batches; cancel batches',
    status: 200,
    ids: ({ batch }) => [batch],
    fresh: async ({ file, model, alias }, creator) => [
      (await creator.post('/v2/api/batches', { files: [file], model: `${model}/${alias}` })).body.id,
    ],
    audit: 'batch-interrupt-request',
  },
  'GET /v2/api/batches/{id}/errors': { ...results, ids: ({ batch }) => [batch], list: true },
  'GET /v2/api/batches/{id}/warnings': { ...results, ids: ({ batch }) => [batch], list: true },
  'GET /v2/api/batches/{id}/result': { ...results, ids: ({ batch }) => [batch] },
  'GET /v2/api/batches/{id}/result/files/{position}': {
    right: 'address',
    status: 403,
    ids: ({ batch }) => [batch, '0'],
  },
  'GET /v2/api/batches/{id}/result/rows': { ...results, ids: ({ batch }) => [batch], list: true },
  'GET /v2/api/batches/{id}/result/archive': { right: 'address', status: 403, ids: ({ batch }) => [batch] },
  'DELETE /v2/api/batches/{id}/result': {
    ...results,
    ids: ({ batch }) => [batch],
    fresh: async ({ canary, model, alias }, creator) => [await makeBatch(creator, canary, `${model}/${alias}`)],
    audit: 'batch-result-deletion',
  },

  'GET /v1/api/event-types': anyone,
  'GET /v1/api/event-types/{name}': { ...anyone, ids: () => ['batch-lifecycle'], isShared: true },
  'GET /v1/api/events': { ...events, list: true },
  'GET /v1/api/events/stream': { ...events, isEndless: true },
  'GET /v1/api/events/{id}': { ...events, ids: ({ event }) => [event] },

  'GET /v1/api/webhooks': { ...webhooks, list: true },
  'POST /v1/api/webhooks': { ...webhooks, status: 201, body: webhook, audit: 'webhook-creation' },
  'GET /v1/api/webhooks/{id}': { ...webhooks, ids: ({ webhook }) => [webhook] },
  'PATCH /v1/api/webhooks/{id}': {
    ...webhooks,
    ids: ({ webhook }) => [webhook],
    body: ({ canary }) => ({ description: canary }),
    audit: 'webhook-update',
  },
  'DELETE /v1/api/webhooks/{id}': { ...webhooks, status: 204, ...newWebhook, audit: 'webhook-deletion' },
  'POST /v1/api/webhooks/{id}/rotation': {
    ...{ ...webhooks, ...newWebhook },
    body: () => ({}),
    audit: 'webhook-secret-rotation',
  },
  'DELETE /v1/api/webhooks/{id}/secrets/{secret_id}': {
    ...{ ...webhooks, status: 204 },
    ids: ({ webhook, webhookSecret }) => [webhook, webhookSecret],
    fresh: async (world, creator) => {
      const [id] = await newWebhook.fresh(world, creator);
      const { secrets } = (await creator.post(`/v1/api/webhooks/${id}/rotation`, {})).body;
      return [id, secrets.at(-1).id];
    },
    audit: 'webhook-update',
  },
  'POST /v1/api/webhooks/{id}/test': { ...webhooks, status: 202, ...newWebhook, audit: 'webhook-test' },
  'GET /v1/api/webhooks/{id}/deliveries': { ...webhooks, ids: ({ webhook }) => [webhook] },
  'GET /v1/api/webhook-deliveries/{id}': { ...webhooks, ids: ({ delivery }) => [delivery] },
  'POST /v1/api/webhook-deliveries/{id}/replay': {
    ...{ ...webhooks, status: 202 },
    ids: ({ delivery }) => [delivery],
    audit: 'webhook-delivery-replay',
  },
  'POST /v1/api/webhooks/{id}/recoveries': {
    ...{ ...webhooks, status: 202, ...newWebhook },
    body: () => ({ since: '2026-01-01T00:00:00Z' }),
    audit: 'webhook-recovery',
  },
  'GET /v1/api/webhooks/{id}/recoveries': { ...webhooks, ids: ({ webhook }) => [webhook] },
  'GET /v1/api/webhooks/{id}/recoveries/{recovery_id}': {
    ...webhooks,
    ids: ({ webhook, recovery }) => [webhook, recovery],
  },
};

async function proposeContract(_: World, creator: Client) {
  return [(await creator.post('/v1/api/contracts', { document: contractText('fresh') })).body.id as string];
}
