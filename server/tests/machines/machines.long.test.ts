/**
 * Two API processes, three workers and one of SFTP on one PostgreSQL and one S3, under kills, freezes and cuts at
 * random moments of all that customers do. One organization works under them, another then does the same undisturbed.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLifecycles, checkObjects, hashesOf, type KeptSnapshot } from '../aftermath.ts';
import { largeShop } from '../large-shop.ts';
import { openPatientClient, type PatientClient } from '../patient-client.ts';
import { draws } from '../samples.ts';
import type { Tenant } from '../service.ts';
import { makeSftpUser, type SftpUser } from '../sftp/client.ts';
import { patiently } from '../sftp/patiently.ts';
import { learnReturns } from '../support/samples/batches.ts';
import { takeIn } from '../take-in.ts';
import { defineTask } from '../train-task.ts';
import { type Machines, startMachines } from './machines.ts';
import { strike } from './strikes.ts';

const strikes = Number(process.env.STRIKES ?? 100);
const seed = 20_261_128;
const shop = largeShop(400, 20_000);
/** Of the workspace whose model answers. */
const customers = 40;
const batchRows = 30_000;
const sftpRows = 2_000;

let machines: Machines;
beforeAll(async () => {
  machines = await startMachines({ api: 2, worker: 3, sftp: 1 });
});
afterAll(() => machines?.close());

const lanes = ['ingestion', 'training', 'batch', 'sftp', 'prediction'] as const;
type Lane = (typeof lanes)[number];
/** What a lane did, in order: hashes of what was made, with ids left out. */
type Outcomes = Readonly<Record<Lane, readonly (readonly string[])[]>>;

/** A workspace for what changes data, one for trainings, and one whose model answers, all of one organization's. */
type Organization = {
  readonly data: PatientClient;
  readonly models: PatientClient & { readonly taskId: string };
  readonly answers: PatientClient & { readonly model: string; readonly user: SftpUser; readonly tenant: Tenant };
  /** Ids of answered predictions. */
  readonly answered: string[];
};

async function openOrganization(name: string): Promise<Organization> {
  const { service, balancer } = machines;
  const [data, models, answers] = [
    await service.tenant(`${name} data`),
    await service.tenant(`${name} models`),
    await service.tenant(`${name} answers`),
  ];
  const patient = ({ client }: Tenant) => openPatientClient(balancer.url, client.key);
  await takeIn(data.client, shop.contract, { customers: shop.customers, orders: shop.orders(0) });
  await takeIn(models.client, shop.contract, { customers: shop.customers, orders: shop.orders(0) });
  const task = await defineTask(models.client, { name: 'returns', definition: shop.task, labels: shop.labels });
  const { model_id } = await learnReturns(answers.client);
  const user = await makeSftpUser(service, answers);
  return {
    data: patient(data),
    models: { ...patient(models), taskId: task.id },
    answers: { ...patient(answers), model: model_id, user, tenant: answers },
    answered: [],
  };
}

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
/** Ids differ between workspaces, and nothing else does. */
const withoutIds = (text: string) => text.replaceAll(/\b[a-z]+_[0-9a-f]{32}\b/g, '');

const perform: Readonly<Record<Lane, (of: Organization, round: number) => Promise<readonly string[]>>> = {
  async ingestion({ data }, round) {
    const files = [];
    for (const at of [2 * round + 1, 2 * round + 2])
      files.push({ file_id: await data.upload(`orders-${at}.csv`, Buffer.from(shop.orders(at))), table: 'orders' });
    const asked = await data.send('POST', '/v1/api/ingestions', { files });
    expect(asked.status, asked.text).toBe(202);
    const path = `/v1/api/ingestions/${asked.body.id}`;
    data.acknowledged.push(path);
    const { body } = await data.finished(path);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded', changed: true });
    const text = 'select manifest, frozen_sha256 from snapshots where id = $1';
    const [snapshot] = await machines.query<KeptSnapshot>(text, [body.snapshot_id]);
    return hashesOf(snapshot);
  },
  async training({ models }, round) {
    const { send, finished, acknowledged, taskId } = models;
    const asked = await send('POST', '/v1/api/training-runs', { task_id: taskId, alias: `round-${round}` });
    expect(asked.status, asked.text).toBe(202);
    const path = `/v1/api/training-runs/${asked.body.id}`;
    acknowledged.push(path);
    const { body } = await finished(path);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded' });
    const [{ files }] = await machines.query('select files from model_versions where id = $1', [body.version_id]);
    return Object.entries(files)
      .map(([name, sha256]) => `${name} ${sha256}`)
      .sort();
  },
  async batch({ answers }, round) {
    const { send, finished, acknowledged, upload, model } = answers;
    const rows = Array.from(
      { length: batchRows },
      (_, at) => `C${(at * 7 + round) % customers},${round}-${at},2024-0${1 + (at % 9)}-01`,
    );
    const text = `customer_id,correlation_id,reference_date\n${rows.join('\n')}\n`;
    const file = await upload(`score-${round}.csv`, Buffer.from(text));
    const asked = await send('POST', '/v2/api/batches', { files: [file], model: `${model}/production` });
    expect(asked.status, asked.text).toBe(202);
    const path = `/v2/api/batches/${asked.body.id}`;
    acknowledged.push(path);
    const { body } = await finished(path);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded' });
    const { body: result } = await send('GET', `${path}/result`);
    const outcome: string[] = [];
    for (const { path: name, rows, sha256, download_url } of result.files) {
      const { text } = await send('GET', download_url);
      expect(hashOf(text)).toBe(sha256);
      outcome.push(`${name} ${rows} ${hashOf(withoutIds(text))}`);
    }
    return outcome;
  },
  async sftp({ answers: { user, model } }, round) {
    const name = `nightly-${round}`;
    const rows = Array.from(
      { length: sftpRows },
      (_, at) => `${model}/production,C${(at + round) % customers},row ${at},2024-03-01`,
    );
    const text = `endpoint,customer_id,correlation_id,reference_date\n${rows.join('\n')}\n`;
    await patiently(machines, user, (sftp) => sftp.put(`batch/in/${name}.csv`, text));
    const result = await patiently(machines, user, (sftp) => sftp.appears(`batch/out/${name}.result.csv`));
    return [hashOf(withoutIds(result.toString()))];
  },
  async prediction({ answers: { send, model }, answered }, round) {
    const asked = { customer_id: `C${round % customers}`, reference_date: '2024-03-01' };
    const { status, body, text } = await send('POST', `/v1/api/prediction/${model}/production`, asked);
    expect(status, text).toBe(200);
    answered.push(body.prediction_id);
    const { generated_at: _, ...rest } = body;
    return [withoutIds(JSON.stringify(rest))];
  },
};

/** Rounds of every lane side by side, until each has done as many as `rounds` says or `isOver`. */
async function work(
  organization: Organization,
  rounds: Readonly<Record<Lane, number>> | null,
  isOver: () => boolean,
): Promise<Outcomes> {
  const done = await Promise.all(
    lanes.map(async (lane) => {
      const outcomes: (readonly string[])[] = [];
      while (rounds === null ? !isOver() : outcomes.length < rounds[lane]) {
        outcomes.push(await perform[lane](organization, outcomes.length));
        if (lane === 'prediction') await sleep(20);
      }
      return [lane, outcomes] as const;
    }),
  );
  return Object.fromEntries(done) as unknown as Outcomes;
}

test('nothing acknowledged is lost, nothing is done twice, and every result is that of an undisturbed run', async () => {
  const struck = await openOrganization('Struck');
  let isOver = false;
  const working = work(struck, null, () => isOver);
  working.catch(() => {});
  await Promise.race([strike(machines, draws(seed), strikes), working]);
  isOver = true;
  const outcomes = await working;
  const rounds = Object.fromEntries(lanes.map((lane) => [lane, outcomes[lane].length])) as Record<Lane, number>;
  console.log('done under strikes', rounds);
  for (const lane of lanes) expect(rounds[lane], lane).toBeGreaterThan(0);
  const calm = await openOrganization('Calm');
  // The same training, and the same questions, come again and again.
  const once = { ...rounds, training: 1, prediction: customers };
  const undisturbed = await work(calm, once, () => false);
  for (const lane of lanes)
    for (const [round, outcome] of outcomes[lane].entries())
      expect(outcome, `${lane} ${round}`).toEqual(undisturbed[lane][round % once[lane]]);

  for (const client of [struck.data, struck.models, struck.answers])
    for (const path of client.acknowledged) {
      const { body } = await client.send('GET', path);
      expect(['succeeded', 'uploaded'], `${path} ${JSON.stringify(body)}`).toContain(body.status);
    }
  await checkLog(struck);
  await checkRows(rounds, once);
  await checkObjects(machines.service.service);
});

/** Every answer is in the log, and counted once. */
async function checkLog({ answered, answers: { tenant } }: Organization): Promise<void> {
  const logged = async () => {
    const text = 'select id from predictions where workspace_id = $1';
    const rows = await machines.query<{ id: string }>(text, [tenant.ctx.workspaceId]);
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(ids);
    return answered.filter((id) => !known.has(id));
  };
  await expect.poll(logged, { timeout: 60_000 }).toEqual([]);
}

/** Every change happened once, and left one event of each kind in order; no work is left, in any queue. */
async function checkRows(...done: readonly Readonly<Record<Lane, number>>[]): Promise<void> {
  const rows = machines.query;
  // Three ingestions and a training begin each organization.
  const worked = done.map(({ ingestion, training, batch, sftp }) => 4 + ingestion + training + batch + sftp);
  expect(await checkLifecycles(rows)).toBe(worked.reduce((sum, one) => sum + one));
  expect(
    await rows(`
    select target_id, action, data, count(*) from audit_entries
    where action like '%-lifecycle' or action = 'model-version-creation'
    group by target_id, action, data having count(*) > 1`),
  ).toEqual([]);
  expect(
    await rows(`
    select (select count(*) from batch_units where status <> 'succeeded')::int as units,
      (select count(*) from pgboss.job_common where state <> 'completed')::int as jobs`),
  ).toEqual([{ units: 0, jobs: 0 }]);
}
