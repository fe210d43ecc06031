/** A lender's workspace with one of everything, made once a run and copied; test support. */
import { expect, vi } from 'vitest';
import type { Config } from '../../server/src/config.ts';
import { takeInLending, trainAndAsk } from '../../server/tests/lending-service.ts';
import {
  type Client,
  type KnownTenant,
  startTestService,
  type Tenant,
  type TestService,
} from '../../server/tests/service.ts';
import { makeOnce } from '../../server/tests/worlds.ts';

export type Lender = {
  readonly service: TestService;
  readonly tenant: Tenant;
  /** Another organization, with nothing in it. */
  readonly stranger: Tenant;
  readonly model: string;
  /** The first is behind `production`, the second behind nothing. */
  readonly versions: readonly [string, string];
  readonly task: string;
  readonly batch: string;
  readonly webhook: string;
  readonly run: string;
  readonly ingestion: string;
  readonly contract: string;
  readonly evaluation: string;
  readonly prediction: string;
  /** Of six customers, who have been scored. */
  readonly watchList: string;
};

type Known = Omit<Lender, 'service' | 'tenant' | 'stranger'> & {
  readonly lender: KnownTenant;
  readonly other: KnownTenant;
};

export const askedCustomers = 40;

/** Starts a service on a copy of the lender's. */
export async function startLender(overrides: Partial<Config> = {}): Promise<Lender> {
  const { stored, known } = await makeOnce('lender', make);
  const service = await startTestService(overrides, 'all', stored);
  const { lender, other, ...ids } = known;
  return { service, tenant: service.tenantOf(lender), stranger: service.tenantOf(other), ...ids };
}

async function make(service: TestService): Promise<Known> {
  const tenant = await service.tenant('Lender', { language: 'en' });
  const other = await service.tenant('Stranger', { language: 'en' });
  const { client } = tenant;
  await takeInLending(client);
  const { task, body, metrics: _ } = await trainAndAsk(client, 'credit', { customer_id: 'c0' });
  const model: string = body.model_id;
  const again = await done(client, '/v1/api/training-runs', { task_id: task.id });
  await done(client, `/v1/api/models/${model}/versions/${again.version_id}/validations`, { alias: 'production' });
  for (let c = 1; c < askedCustomers; c++)
    await client.post(`/v1/api/prediction/credit/production`, { customer_id: `c${c}` });
  const rows = Array.from({ length: askedCustomers }, (_, c) => `c${c},ref-${c},${c === 7 ? 'soon' : '2022-06-30'}`);
  const file = await client.upload('portfolio.csv', `customer_id,correlation_id,reference_date\n${rows.join('\n')}\n`);
  const batch = await done(client, '/v2/api/batches', {
    files: [file],
    model: `${model}/production`,
    output_format: 'csv',
  });
  const labelled = await client.upload('labelled.csv', labelledText());
  const evaluation = await done(client, '/v1/api/evaluations', { file: labelled, model: `${model}/production` }, false);
  const watched = await client.post('/v1/api/watch-lists', {
    ...{ name: 'Largest loans', model: `${model}/production` },
    keys: Array.from({ length: 6 }, (_, c) => `c${c}`),
  });
  const isScored = async () => (await client.get(`/v1/api/watch-lists/${watched.body.id}`)).body.is_due === false;
  await vi.waitUntil(isScored, { timeout: 120_000 });
  await client.post('/v1/api/invitations', { email: 'late@lender.example', role: 'analyst' });
  // Nothing that happens from here on is sent to it, so that nothing waits to be sent again.
  const webhook = await client.post('/v1/api/webhooks', {
    url: 'https://localhost:9443/hook',
    events: ['batch-lifecycle'],
  });
  const [runs, ingestions, contracts, predictions] = await Promise.all(
    ['training-runs', 'ingestions', 'contracts', 'predictions'].map((noun) => client.get(`/v1/api/${noun}`)),
  );
  return {
    lender: knownOf(tenant),
    other: knownOf(other),
    model,
    versions: [body.version_id, again.version_id],
    task: task.id,
    batch: batch.id,
    webhook: webhook.body.id,
    run: runs.body.data[0].id,
    ingestion: ingestions.body.data[0].id,
    contract: contracts.body.data[0].id,
    evaluation: evaluation.id,
    prediction: predictions.body.data[0].id,
    watchList: watched.body.id,
  };
}

function knownOf({ ctx, userId, client }: Tenant): KnownTenant {
  return { ctx, userId, secret: client.key };
}

/** Whether customers were late, as somebody else might say: every third, as they were made. */
function labelledText(): string {
  const rows = Array.from({ length: 60 }, (_, c) => `c${c},2022-01-15,${c % 3 === 0 ? 1 : 0},${c % 3 === 0 ? 1 : 0}`);
  return `customer_id,reference_date,pd_30d,pd_90d\n${rows.join('\n')}\n`;
}

async function done(client: Client, path: string, body: object, mustSucceed = true) {
  const { status, text, body: asked } = await client.post(path, body);
  expect(status, text).toBeLessThan(300);
  const ended = await client.finished(`${path}/${asked.id}`);
  if (mustSucceed) expect(ended.body, ended.text).toMatchObject({ status: 'succeeded' });
  return ended.body;
}

/** The page that sets the two versions of the lender's model beside each other. */
export function comparePath({ model, versions }: Pick<Lender, 'model' | 'versions'>): string {
  return `/models/${model}/compare?base=${versions[0]}&candidate=${versions[1]}`;
}
