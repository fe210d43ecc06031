/** A workspace with one of everything, made over the API; test support. */
import { newId } from '../src/lib/crypto/ids.ts';
import type { Client, Reply, Tenant } from './service.ts';
import { shopText } from './shop.ts';

/** What a workspace has, by id. */
export type World = {
  readonly canary: string;
  readonly contract: string;
  readonly file: string;
  readonly ingestion: string;
  readonly task: string;
  readonly run: string;
  readonly model: string;
  readonly version: string;
  /** A version of the same model that no alias points at. */
  readonly spare: string;
  readonly alias: string;
  readonly prediction: string;
  /** Of that prediction; its window is open. */
  readonly outcome: string;
  /** Has a result, and two rows that were left out of it. */
  readonly batch: string;
  readonly erasure: string;
  /** Has a result. */
  readonly evaluation: string;
  /** Of its predictions, and has ended. */
  readonly replay: string;
  readonly validation: string;
  readonly backtest: string;
  /** Of the first two customers. */
  readonly watchList: string;
  /** An RFM version of the customers. */
  readonly encoder: string;
  /** One that all members may read. */
  readonly event: string;
  /** A key of whoever made the workspace. */
  readonly key: string;
  /** Of this machine, where nothing is sent by https. */
  readonly webhook: string;
  /** A secret before the current one. */
  readonly webhookSecret: string;
  readonly delivery: string;
  readonly recovery: string;
};

/**
 * Fills a workspace with the shop: two rows in every list, and the canary in every text that a customer can give.
 * The canary is a word of lower-case letters and digits.
 */
export async function makeWorld({ client }: Pick<Tenant, 'client'>, canary: string, encoderCount = 2): Promise<World> {
  const proposed = await ok(client.post('/v1/api/contracts', { document: contractText(canary), accept: true }));
  const files = [];
  for (const table of ['customers', 'orders']) {
    const text = marked(canary, shopText(`tables/${table}.csv`));
    files.push({ file_id: await client.upload(`${canary}/${table}.csv`, text), table });
  }
  const ingestion = await ok(client.post('/v1/api/ingestions', { files, metadata: { note: canary } }));
  await succeeded(client, `/v1/api/ingestions/${ingestion.id}`);
  const again = await ok(client.post('/v1/api/ingestions', { files }));
  const labels = {
    train: await client.upload(`${canary}/train.csv`, marked(canary, shopText('tasks/returns/train.csv'))),
    validation: await client.upload(`${canary}/val.csv`, marked(canary, shopText('tasks/returns/val.csv'))),
  };
  const definition = `${shopText('tasks/returns/task.yaml')}# ${canary}\n`;
  const task = await ok(client.post('/v1/api/tasks', { name: `${canary}-returns`, definition, labels }));
  await ok(client.post('/v1/api/tasks', { name: `${canary}-other`, definition, labels }));
  const alias = `${canary}-live`;
  const run = await ok(client.post('/v1/api/training-runs', { task_id: task.id, alias }));
  const second = await ok(client.post('/v1/api/training-runs', { task_id: task.id }));
  const { model_id: model, version_id: version } = await succeeded(client, `/v1/api/training-runs/${run.id}`);
  const { version_id: spare } = await succeeded(client, `/v1/api/training-runs/${second.id}`);
  const other = await ok(client.post('/v1/api/training-runs', { task_id: task.id, model: `${canary}-second` }));
  await ok(client.post(`/v1/api/training-runs/${other.id}/interrupt`));
  const encoders = [];
  for (let times = 0; times < encoderCount; times++)
    encoders.push(await ok(client.post('/v1/api/training-runs', { entity: 'customers' })));
  await ok(client.post('/v1/api/contracts', { document: contractText(canary) }));
  await succeeded(client, `/v1/api/ingestions/${again.id}`);
  const asked = { customer_id: `${canary}C1`, correlation_id: canary };
  const first = await ok(client.post(`/v1/api/prediction/${model}/${alias}`, asked));
  const { prediction_id } = await ok(client.post(`/v1/api/prediction/${model}/${alias}`, asked));
  const observed_at = new Date().toISOString();
  const outcomes = [first.prediction_id, prediction_id].map((id) => ({ prediction_id: id, value: 1, observed_at }));
  const recorded = await ok(client.post('/v1/api/outcomes', { outcomes }));
  const batch = await makeBatch(client, canary, `${model}/${alias}`);
  await ok(client.post('/v2/api/batches', { files: [files[0].file_id], model: `${model}/${alias}` }));
  const evaluation = await ok(
    client.post('/v1/api/evaluations', { file: labels.validation, model: run.id, segments: ['segment'] }),
  );
  await succeeded(client, `/v1/api/evaluations/${evaluation.id}`);
  await ok(client.post('/v1/api/evaluations', { file: labels.validation, model: run.id }));
  const replay = await ok(client.post('/v1/api/replays', { predictions: { ids: [prediction_id] } }));
  await succeeded(client, `/v1/api/replays/${replay.id}`);
  await ok(client.post('/v1/api/replays', { predictions: { version_id: canary } }));
  const validations = `/v1/api/models/${model}/versions/${spare}/validations`;
  const validation = await ok(client.post(validations, { alias, segments: ['segment'] }));
  await succeeded(client, `${validations}/${validation.id}`);
  await ok(client.post(validations, {}));
  const backtest = await ok(client.post('/v1/api/backtests', { model: `${model}/${spare}` }));
  await succeeded(client, `/v1/api/backtests/${backtest.id}`);
  await ok(client.post('/v1/api/backtests', { model: `${model}/${spare}` }));
  await ok(client.send('PUT', `/v1/api/models/${model}/shadows/${spare}`, { body: { alias, share: 0 } }));
  const watched = { model: `${model}/${alias}`, keys: [`${canary}C1`, `${canary}C2`], threshold: { difference: 1e-9 } };
  await ok(client.post('/v1/api/watch-lists', { ...watched, name: `${canary}-other` }));
  const { id: watchList } = await ok(client.post('/v1/api/watch-lists', { ...watched, name: canary }));
  const erasure = await ok(client.post('/v1/api/erasures', { identifier: `${canary}-nobody` }));
  await succeeded(client, `/v1/api/erasures/${erasure.id}`);
  await ok(client.post('/v1/api/erasures', { identifier: `${canary}-nobody` }));
  const webhook = await makeWebhook(client, canary);
  const trained = [];
  for (const { id } of encoders)
    trained.push((await succeeded(client, `/v1/api/training-runs/${id}`)).rfm_version_id as string);
  return {
    canary,
    contract: proposed.id,
    file: files[0].file_id,
    ingestion: ingestion.id,
    task: task.id,
    run: run.id,
    model,
    version,
    spare,
    alias,
    prediction: prediction_id,
    outcome: recorded.data.find((one: { prediction_id: string }) => one.prediction_id === prediction_id).id,
    batch,
    erasure: erasure.id,
    evaluation: evaluation.id,
    replay: replay.id,
    validation: validation.id,
    backtest: backtest.id,
    watchList,
    encoder: trained.at(-1)!,
    event: (await ok(client.get('/v1/api/events?type=workspace-creation'))).data[0].id,
    key: (await ok(client.get('/v1/api/api-keys'))).data.at(-1).id,
    ...webhook,
  };
}

/** Two webhooks, one with everything that a webhook can have. */
async function makeWebhook(client: Client, canary: string) {
  const asked = { url: `https://localhost:9443/${canary}`, events: ['*'], headers: { 'x-canary': canary } };
  await ok(client.post('/v1/api/webhooks', asked));
  const { id } = await ok(client.post('/v1/api/webhooks', { ...asked, description: canary, resource_ids: [canary] }));
  await ok(client.post(`/v1/api/webhooks/${id}/rotation`, {}));
  const delivery = await ok(client.post(`/v1/api/webhooks/${id}/test`));
  await client.finished(`/v1/api/webhook-deliveries/${delivery.id}`);
  const recovery = await ok(client.post(`/v1/api/webhooks/${id}/recoveries`, { since: '2026-01-01T00:00:00Z' }));
  await succeeded(client, `/v1/api/webhooks/${id}/recoveries/${recovery.id}`);
  const { secrets } = await ok(client.get(`/v1/api/webhooks/${id}`));
  return { webhook: id, webhookSecret: secrets.at(-1).id, delivery: delivery.id, recovery: recovery.id };
}

/** Runs a batch of five rows: two ask about a day that is none, two name a document with wrong check digits. */
export async function makeBatch(client: Client, canary: string, model: string): Promise<string> {
  const rows = [
    ...['2024-01-01', 'soon', 'later'].map((day, at) => `${canary}C${at},${canary},${day}`),
    ...['123.456.789-00', '123.456.789-01'].map((document) => `${document},${canary},2024-01-01`),
  ];
  const text = `customer_id,correlation_id,reference_date\n${rows.join('\n')}\n`;
  const files = [await client.upload(`${canary}/asked.csv`, text)];
  const { id } = await ok(client.post('/v2/api/batches', { files, model, metadata: { note: canary } }));
  await succeeded(client, `/v2/api/batches/${id}`);
  return id;
}

/** Ids of the same kinds that nothing has. */
export function nowhere(): World {
  return {
    canary: 'nowhere',
    contract: newId('con'),
    file: newId('file'),
    ingestion: newId('ing'),
    task: newId('tsk'),
    run: newId('run'),
    model: newId('mdl'),
    version: newId('ver'),
    spare: newId('ver'),
    alias: 'no-such-alias',
    prediction: newId('prd'),
    outcome: newId('out'),
    batch: newId('bat'),
    erasure: newId('era'),
    evaluation: newId('evl'),
    replay: newId('rpl'),
    validation: newId('val'),
    backtest: newId('bkt'),
    watchList: newId('wat'),
    encoder: newId('rfm'),
    event: newId('evt'),
    key: newId('key'),
    webhook: newId('whk'),
    webhookSecret: newId('whs'),
    delivery: newId('whd'),
    recovery: newId('whr'),
  };
}

export function contractText(canary: string): string {
  return shopText('contract.yaml').replace('id: shop', `id: ${canary}`);
}

/** With the canary in every identifier of a customer or an order. */
export function marked(canary: string, text: string): string {
  return text.replace(/\b([CO]\d+)\b/g, `${canary}$1`);
}

async function ok(reply: Promise<Reply>) {
  const { status, text, body } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

async function succeeded(client: Client, path: string) {
  const { body, text } = await client.finished(path);
  if (body.status !== 'succeeded') throw new Error(`${path}: ${text}`);
  return body;
}
