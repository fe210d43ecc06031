import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, system } from '../access/transactions.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import type { Service } from '../app.ts';
import { writeWhole } from '../lib/files/whole-folder.ts';
import { createKey } from '../resources/api-keys/create.ts';
import type { App } from '../resources/app.ts';
import { createOrganization } from '../resources/organizations/create.ts';
import { issueLink } from '../resources/sessions/link.ts';
import { type Call, finished, hasNotFailed, newest, openCaller, upload } from './demo/caller.ts';
import { generateLender } from './demo/lender.ts';
import { seedGraphModel } from './demo/seed-graph-model.ts';
import { alias, type DemoModel, seedModels, takesIn } from './demo/seed-models.ts';

const customers = 1_000;
const seed = 1;
const years = 4;
const pollMs = 250;
const taskName = 'credit';
const email = 'demo@lender.example';

/** The content of demo.json, which is kept between starts and printed when the demo is ready. */
type Demo = {
  readonly url: string;
  readonly api_key: string;
  readonly workspace_id: string;
  readonly model_id: string;
  readonly alias: string;
  readonly example: Readonly<Record<string, string>>;
  /** By which its Creator signs in, once and within a day of the first start. */
  readonly sign_in_token: string;
  /** The models of other kinds that serve so far. */
  readonly models?: readonly DemoModel[];
};

/**
 * Fills a demo workspace through the service's own API, as a customer would: files, contract, ingestion, task, training
 * run, alias. Once its credit model serves, it adds one model of every other kind, one after the other, and at last a
 * graph model. After an interruption it continues at the next start: each step first checks whether it was done, and
 * repeats what failed. It writes demo.json into the data folder when the first prediction is served, and again with
 * each model. `stop` ends it early.
 */
export async function seedDemo(
  { app, url }: Pick<Service, 'app' | 'url'>,
  dataDir: string,
  say: (line: string) => void,
  stop = new AbortController().signal,
): Promise<void> {
  const file = join(dataDir, 'demo.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : null;
  const begun = known ?? (await begin(app, dataDir));
  const call = openCaller(url, begun.api_key, stop);
  const folder = join(dataDir, 'demo-lender');
  let demo: Demo = { ...(known ?? { ...begun, ...(await seedCredit(call, folder, say)), alias }), url };
  if (!known) writePrivately(file, demo);
  tell(demo, file, say);
  const plan = { seed, ...lastYears(new Date()), customer: demo.example };
  await seedModels(call, folder, plan, demo.models ?? [], say, (models) => {
    demo = { ...demo, models };
    writePrivately(file, demo);
  });
  await seedGraphModel(app, dataDir, say, stop);
}

/** Sets up the lender and trains its credit model, and requests one prediction from it. */
async function seedCredit(
  call: Call,
  folder: string,
  say: (line: string) => void,
): Promise<Pick<Demo, 'model_id' | 'example'>> {
  say('making a demo workspace: a lender with made-up customers');
  if (!existsSync(join(folder, 'contract.yaml')))
    await writeWhole(folder, (partial) => generateLender(partial, { customers, seed, ...lastYears(new Date()) }));
  const contracts = (await call('GET', '/v1/api/contracts')) as { data: readonly unknown[] };
  if (contracts.data.length === 0)
    await call('POST', '/v1/api/contracts', {
      document: readFileSync(join(folder, 'contract.yaml'), 'utf8'),
      accept: true,
    });
  const tables = readdirSync(join(folder, 'tables')).sort();
  const files = await upload(
    call,
    tables.map((name) => ({ path: `demo/${name}`, from: join(folder, 'tables', name) })),
  );
  const ingestion =
    (await newest(call, '/v1/api/ingestions', (one) => takesIn(one, 'customers') && hasNotFailed(one))) ??
    (await call('POST', '/v1/api/ingestions', {
      files: tables.map((name, at) => ({ file_id: files[at], table: name.replace(/\.csv$/, ''), mode: 'replace' })),
    }));
  await finished(call, `/v1/api/ingestions/${ingestion.id}`, pollMs, (state) => {
    const phase = (state.progress as { phase?: string } | null)?.phase;
    if (phase) say(`ingesting: ${phase}`);
  });
  const task =
    (await newest(call, '/v1/api/tasks', ({ name }) => name === taskName)) ??
    (await call('POST', '/v1/api/tasks', {
      name: taskName,
      definition: readFileSync(join(folder, 'tasks', taskName, 'task.yaml'), 'utf8'),
    }));
  const run =
    (await newest(call, '/v1/api/training-runs', (run) => run.task_id === task.id && hasNotFailed(run))) ??
    (await call('POST', '/v1/api/training-runs', { task_id: task.id, alias }));
  const trained = await finished(call, `/v1/api/training-runs/${run.id}`, pollMs, ({ phase, fraction }) => {
    if (phase) say(`training: ${phase}, ${Math.round(100 * (fraction as number))} %`);
  });
  const document = readFileSync(join(folder, 'applications.csv'), 'utf8').split('\n')[1].split(',')[1];
  const model = { model_id: trained.model_id as string, example: { legal_document: document } };
  await call('POST', `/v1/api/prediction/${model.model_id}/${alias}`, model.example);
  return model;
}

/** Returns four years that end with the last whole month, so that the data are fresh. */
function lastYears(now: Date): { from: string; until: string } {
  const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0));
  const from = new Date(Date.UTC(until.getUTCFullYear() - years, until.getUTCMonth() + 1, 1));
  return { from: from.toISOString().slice(0, 10), until: until.toISOString().slice(0, 10) };
}

/** Creates the workspace and its key, or returns those of an earlier start. */
type Begun = Pick<Demo, 'api_key' | 'workspace_id' | 'sign_in_token'>;

async function begin(app: App, dataDir: string): Promise<Begun> {
  const { db } = app;
  const file = join(dataDir, 'demo-key.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Begun;
  const { ctx, userId } =
    (await findDemo(db)) ?? (await createOrganization(db, { organization: 'Demo Lender', workspace: 'Demo', email }));
  const { secret } = await createKey(db, ctx, { name: 'demo', userId });
  const token = await system(db, 'demo', (tx) => issueLink(app, tx, userId));
  const begun = { api_key: secret, workspace_id: ctx.workspaceId, sign_in_token: token };
  writePrivately(file, begun);
  return begun;
}

/** Finds the workspace of an earlier start that ended before it stored the key. */
async function findDemo(db: Database) {
  const found = await system(db, 'find demo', (tx) =>
    tx
      .selectFrom('users')
      .innerJoin('grants', 'grants.user_id', 'users.id')
      .innerJoin('workspaces', 'workspaces.organization_id', 'grants.organization_id')
      .select(['users.id as userId', 'workspaces.id as workspaceId'])
      .where('users.email_canonical', '=', email)
      .orderBy('workspaces.id')
      .executeTakeFirst(),
  );
  return found && { ctx: await workspaceContext(db, found.workspaceId), userId: found.userId };
}

function writePrivately(file: string, value: unknown): void {
  writeFileSync(`${file}.partial`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}

function tell(demo: Demo, file: string, say: (line: string) => void): void {
  const { url, api_key, model_id, example, sign_in_token } = demo;
  const header = `-H "Authorization: Bearer ${api_key}"`;
  say(`the demo workspace is ready: ${url}
  key  ${api_key}
  also in ${file}, with a token by which its Creator signs in once, within a day:

  curl -i -H "Content-Type: application/json" -d '{"token":"${sign_in_token}"}' ${url}/v1/api/sessions/link

  curl ${header} ${url}/v1/api/models
  curl ${header} -H "Content-Type: application/json" -d '${JSON.stringify(example)}' ${url}/v1/api/prediction/${model_id}/${alias}
  curl ${header} ${url}/v1/api/predictions`);
}
