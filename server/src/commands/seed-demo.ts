import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operator } from '../access/actor.ts';
import { type Database, system } from '../access/transactions.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import type { Service } from '../app.ts';
import { Failure } from '../lib/failure.ts';
import { writeWhole } from '../lib/files/whole-folder.ts';
import { createKey } from '../resources/api-keys/create.ts';
import type { App } from '../resources/app.ts';
import { createOrganization } from '../resources/organizations/create.ts';
import { isFeatureOn, setFeature } from '../resources/organizations/features.ts';
import { issueOperatorLink } from '../resources/sessions/link.ts';
import { type Call, finished, hasNotFailed, newest, openCaller, upload } from './demo/caller.ts';
import { generateLender } from './demo/lender.ts';
import { demoTasks } from './demo/lines.ts';
import { givePassword } from './demo/password.ts';
import { seedExamples } from './demo/seed-examples.ts';
import { seedGraphModel } from './demo/seed-graph-model.ts';
import { alias, type DemoModel, seedModels, takesIn } from './demo/seed-models.ts';
import { openSteps, type Steps } from './demo/steps.ts';

/**
 * A lender whose default rate hardly swings, with years enough to hold probabilities of a year against what came: a
 * first look at probabilities should not be at those that the economy had overtaken.
 */
const lender = { customers: 600, seed: 9, years: 8 };
const lines = { seed: 1, years: 4 };
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
  /** By which its Creator signs in, once and within a day of the newest start; none where that user is gone. */
  readonly sign_in_token?: string | undefined;
  /** By which its Creator signs in otherwise; none where they chose a password themselves. */
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  /** The models of other kinds that serve so far. */
  readonly models?: readonly DemoModel[];
};

/**
 * Fills a demo workspace through the service's own API, as a customer would: files, contract, ingestion, task, training
 * run, alias. First of all it says how to sign in. Once its credit model serves, it adds examples of all else, then one
 * model of every other kind, one after the other, and at last a graph model. After an interruption it continues at the
 * next start: each step first checks whether it was done, and repeats what failed. How far it is is told by
 * `/v1/api/setup-steps`. It writes demo.json into the data folder when the first prediction is served, and again with
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
  const begun: Begun = known ?? (await begin(app, dataDir));
  const ctx = await workspaceContext(app.db, begun.workspace_id, operator);
  const plan = { seed: lines.seed, ...lastYears(lines.years, new Date()) };
  const others = demoTasks(plan).map(({ name }) => name);
  const steps = await openSteps(app, ctx, ['data', 'credit', 'examples', 'lines', ...others, 'graph-model'], stop);
  // The file of the demo says that it is ready; until then there is that of its key.
  const kept = known ? file : keyFileIn(dataDir);
  const password = await givePassword(app, email, begun.password, (password) =>
    writePrivately(kept, { ...begun, email, password }),
  );
  const signIn = { email: password && email, password, sign_in_token: await sayLink(app, say, password && kept) };
  const call = openCaller(url, begun.api_key, stop);
  const folder = join(dataDir, 'demo-lender');
  const credit = known ?? (await seedCredit(call, folder, say, steps));
  let demo: Demo = { ...begun, ...credit, alias, url, ...signIn };
  const keep = (more: Partial<Demo>): void => {
    demo = { ...demo, ...more };
    writePrivately(file, demo);
  };
  keep({});
  await steps.report('data', { status: 'ready' });
  await steps.report('credit', { status: 'ready', modelId: demo.model_id });
  tell(demo, file, say);
  await addExamples(() => seedExamples(app, ctx, call, { lender: folder, modelId: demo.model_id }), call, steps, say);
  const asked = { ...plan, customer: demo.example };
  await seedModels(call, folder, asked, demo.models ?? [], say, (models) => keep({ models }), steps);
  await steps.run('graph-model', () => seedGraphModel(app, dataDir, say, stop));
}

/**
 * Says the link by which the demo's Creator signs in, and the file with their password if there is one. Returns the
 * token of the link; nothing where there is no such user.
 */
async function sayLink(
  app: App,
  say: (line: string) => void,
  passwordFile: string | undefined,
): Promise<string | undefined> {
  try {
    const { token, link } = await issueOperatorLink(app, email);
    say(`dashboard  ${link}`);
    say('           signs you in once, within a day; each start says a new one');
    if (passwordFile) say(`           later: ${email} with the password in ${passwordFile}`);
    return token;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Adds the examples unless they were added before: what somebody removes stays away. A failure stops nothing else. */
async function addExamples(
  add: () => Promise<void>,
  call: Call,
  steps: Steps,
  say: (line: string) => void,
): Promise<void> {
  if (await newest(call, '/v1/api/setup-steps', ({ step, status }) => step === 'examples' && status === 'ready'))
    return;
  try {
    await steps.run('examples', add);
    say('examples of predictions, batches, an evaluation, a webhook and an invitation are there');
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    say(
      `error: the examples are not there: ${error instanceof Error ? error.message : String(error)}; start again to try again`,
    );
  }
}

/** Sets up the lender and trains its credit model, and requests one prediction from it. */
async function seedCredit(
  call: Call,
  folder: string,
  say: (line: string) => void,
  steps: Steps,
): Promise<Pick<Demo, 'model_id' | 'example'>> {
  say('making a demo workspace: a lender with made-up customers');
  await steps.run('data', () => takeInLender(call, folder, say, steps));
  return steps.run('credit', () => trainCredit(call, folder, say, steps));
}

async function takeInLender(call: Call, folder: string, say: (line: string) => void, steps: Steps): Promise<void> {
  if (!existsSync(join(folder, 'contract.yaml')))
    await writeWhole(folder, (partial) =>
      generateLender(partial, { ...lender, ...lastYears(lender.years, new Date()) }),
    );
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
  await steps.report('data', { status: 'running', ingestionId: ingestion.id as string });
  await finished(call, `/v1/api/ingestions/${ingestion.id}`, pollMs, (state) => {
    const phase = (state.progress as { phase?: string } | null)?.phase;
    if (phase) say(`ingesting: ${phase}`);
  });
}

async function trainCredit(
  call: Call,
  folder: string,
  say: (line: string) => void,
  steps: Steps,
): Promise<Pick<Demo, 'model_id' | 'example'>> {
  const task =
    (await newest(call, '/v1/api/tasks', ({ name }) => name === taskName)) ??
    (await call('POST', '/v1/api/tasks', {
      name: taskName,
      definition: readFileSync(join(folder, 'tasks', taskName, 'task.yaml'), 'utf8'),
    }));
  const run =
    (await newest(call, '/v1/api/training-runs', (run) => run.task_id === task.id && hasNotFailed(run))) ??
    (await call('POST', '/v1/api/training-runs', { task_id: task.id, alias }));
  await steps.report('credit', { status: 'running', trainingRunId: run.id as string });
  const trained = await finished(call, `/v1/api/training-runs/${run.id}`, pollMs, ({ phase, fraction }) => {
    if (phase) say(`training: ${phase}, ${Math.round(100 * (fraction as number))} %`);
  });
  const document = readFileSync(join(folder, 'applications.csv'), 'utf8').split('\n')[1].split(',')[1];
  const model = { model_id: trained.model_id as string, example: { legal_document: document } };
  await call('POST', `/v1/api/prediction/${model.model_id}/${alias}`, model.example);
  return model;
}

/** Returns years that end yesterday: of older data the first answer would tell mostly that they are old. */
function lastYears(years: number, now: Date): { from: string; until: string } {
  const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 1));
  const from = new Date(Date.UTC(until.getUTCFullYear() - years, until.getUTCMonth(), until.getUTCDate() + 1));
  return { from: from.toISOString().slice(0, 10), until: until.toISOString().slice(0, 10) };
}

type Begun = Pick<Demo, 'api_key' | 'workspace_id' | 'email' | 'password'>;

const keyFileIn = (dataDir: string): string => join(dataDir, 'demo-key.json');

/** Creates the workspace and its key, or returns those of an earlier start. */
async function begin({ db, sftpPort }: App, dataDir: string): Promise<Begun> {
  const file = keyFileIn(dataDir);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Begun;
  const { ctx, userId } =
    (await findDemo(db)) ??
    (await createOrganization(db, { organization: 'Demo Lender', workspace: 'Demo', language: languageHere(), email }));
  // Whoever gives SFTP a port wants to try it.
  if (sftpPort() !== null && !(await system(db, 'demo', (tx) => isFeatureOn(tx, ctx.organizationId, 'sftp'))))
    await setFeature(db, ctx.organizationId, 'sftp', true);
  const { secret } = await createKey(db, ctx, { name: 'demo', userId });
  const begun = { api_key: secret, workspace_id: ctx.workspaceId };
  writePrivately(file, begun);
  return begun;
}

/** The language of this machine, likely that of who looks at the demo here. */
function languageHere(): 'en' | 'pt-BR' {
  return Intl.DateTimeFormat().resolvedOptions().locale.startsWith('pt') ? 'pt-BR' : 'en';
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
  const { url, api_key, model_id, example } = demo;
  const header = `-H "Authorization: Bearer ${api_key}"`;
  say(`the demo workspace is ready: ${url}
  key  ${api_key}
  also in ${file}

  curl ${header} ${url}/v1/api/models
  curl ${header} -H "Content-Type: application/json" -d '${JSON.stringify(example)}' ${url}/v1/api/prediction/${model_id}/${alias}
  curl ${header} ${url}/v1/api/predictions`);
}
