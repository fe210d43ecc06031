/** What the compiler refuses, each in the line below a comment that expects it; compiled by package.test.ts. */
import { type CreditOutputs, Lastro, type RiskBand, verifyWebhook } from '@lastro/sdk';

declare module '@lastro/sdk' {
  interface Models {
    credit: { inputs: { customer_id: string; channel: 'app' | 'branch'; amount?: number }; outputs: CreditOutputs };
  }
}

const client = new Lastro({ apiKey: 'lst_1', baseUrl: 'http://localhost:4000' });
// @ts-expect-error an option that there is not
new Lastro({ apikey: 'lst_1' });

// What is declared of a model holds for all its aliases and versions; of other models nothing is known.
const answer = await client.predict('credit/production', {
  customer_id: 'C1',
  channel: 'app',
  reference_date: '2026-01-31',
});
const band: RiskBand = answer.risk_band;
const answers: readonly (number | string | readonly string[])[] = [
  answer.score,
  answer.pd_90d,
  answer.key_factors,
  answer.prediction_id,
  band,
];
// @ts-expect-error an output that it has not
answer.fraud_score;
// @ts-expect-error an alias is missing
client.predict('credit', { customer_id: 'C1', channel: 'app' });
// @ts-expect-error an input that it has not
client.predict('credit/production', { customer_id: 'C1', channel: 'app', colour: 'red' });
// @ts-expect-error an input is missing
client.predict('credit/challenger', { customer_id: 'C1' });
// @ts-expect-error no value of the input
client.predict('credit/production', { customer_id: 'C1', channel: 'letter' });
// @ts-expect-error nothing that can be included
client.predict('credit/production', { customer_id: 'C1', channel: 'app' }, { include: ['reasons'] });
const other: unknown = (await client.predict('other/production', { anything: 1 })).anything;

const batch = await client.batches.create({ files: ['file_1'], model: 'credit/production', output_format: 'csv' });
const status: 'queued' | 'running' | 'succeeded' | 'failed' = batch.status;
// @ts-expect-error a status that it never has
batch.status === 'done';
// @ts-expect-error a field that it has not
batch.state;
// @ts-expect-error what it has is not written to
batch.status = 'failed';
// @ts-expect-error a field that the request has not
client.batches.create({ files: ['file_1'], model: 'credit/production', format: 'csv' });
// @ts-expect-error a field of the request is missing
client.batches.create({ files: ['file_1'] });
// @ts-expect-error no value of the field
client.batches.create({ files: ['file_1'], model: 'credit/production', output_format: 'xlsx' });
// @ts-expect-error an id is a text
client.batches.get(1);
// @ts-expect-error a parameter that the list has not
client.batches.list({ state: 'queued' });
// @ts-expect-error a namespace that there is not
client.predictors;
// @ts-expect-error it stands in models, as `versions`
client.modelVersions;
// @ts-expect-error of what creates nothing
client.batches.get('bat_1', {}, { idempotencyKey: 'a' });
client.batches.create({ files: ['file_1'], model: 'credit/production' }, { idempotencyKey: 'a', timeoutMs: 10 });
client.models.aliases.set('credit', 'production', { version_id: 'ver_1' }, { ifMatch: '"1"' });

// Parts in place of JSON, where an operation takes files with its request.
client.ingestions.create(new FormData());
// @ts-expect-error which this one does not
client.batches.create(new FormData());
const bytes: Response = await client.files.download('file_1', { range: 'bytes=0-9' });
const nothing: undefined = await client.tasks.delete('tsk_1');
for await (const { path } of client.files.list()) path.toUpperCase();
// @ts-expect-error one file is no list
client.files.get('file_1')[Symbol.asyncIterator];

const ended: 'succeeded' | 'refused' | 'failed' | 'interrupted' = (await client.ingestions.wait('ing_1')).status;
for await (const event of client.events.stream({ types: ['batch-lifecycle'] })) {
  if (event.type === 'batch-lifecycle') event.data.status.toUpperCase();
  // @ts-expect-error of which type it is, is not known here
  event.data.status;
}
// @ts-expect-error a type that there is not
client.events.stream({ types: ['batch-done'] });

const sent = await verifyWebhook('', {}, '');
if (sent.type === 'model-version-promotion') sent.data.alias.toUpperCase();
// @ts-expect-error a type that webhooks are never sent
if (sent.type === 'login') sent.data;

const run = client.batches.run({ model: 'credit/production', files: [{ path: 'a.csv', content: 'a' }] });
// @ts-expect-error a phase that there is not
for await (const { phase } of run) if (phase === 'scoring') break;
// @ts-expect-error no type of content that the service takes
client.files.send([{ path: 'a.csv', content: 'a', content_type: 'text/plane' }]);

export { answers, bytes, ended, nothing, other, status };
