import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, operatorContext } from '../../access/context.ts';
import { system } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { App } from '../../resources/app.ts';
import { invite } from '../../resources/invitations/create.ts';
import { addWorkspace } from '../../resources/workspaces/add.ts';
import { type Call, finished, hasNotFailed, newest, upload } from './caller.ts';
import { alias } from './seed-models.ts';

const predictions = 200;
/** Every so many of them ask as of a day in the past. */
const pastEvery = 5;
const pastDays = [30, 90, 180, 365];
const dayMs = 86_400_000;
const pollMs = 500;
const webhookUrl = 'https://receiver.lender.example/lastro';
const invited = { email: 'ana.souza@lender.example', role: 'analyst' } as const;
const emptyWorkspace = 'Sandbox';
const watchList = 'Customers to watch';
const watched = 40;

/**
 * Adds to the demo workspace what its people would have made by then, so that no list of theirs is empty: predictions,
 * a batch, one whose file has broken rows, an evaluation, a replay, a watch list, a webhook (disabled: nobody is
 * there), an open invitation; and an empty workspace beside it. What is there from an interrupted start is not made
 * again. `lender`: the folder of its files.
 */
export async function seedExamples(
  app: App,
  ctx: Context,
  call: Call,
  { lender, modelId }: { readonly lender: string; readonly modelId: string },
): Promise<void> {
  await addPredictions(call, lender, modelId);
  const model = `${modelId}/${alias}`;
  const sent = [
    { path: 'examples/applications.csv', from: join(lender, 'applications.csv') },
    { path: 'examples/applications-with-errors.csv', from: spoilApplications(lender) },
  ];
  for (const file of sent) {
    await upload(call, [file]);
    const work = { files: [{ path: file.path }], model, metadata: { example: file.path } };
    // One that failed is made anew.
    const isIt = (one: Parameters<typeof hasNotFailed>[0]) =>
      hasNotFailed(one) && (one.metadata as typeof work.metadata).example === file.path;
    const { id } =
      (await newest(call, '/v2/api/batches?limit=200', isIt)) ?? (await call('POST', '/v2/api/batches', work));
    await finished(call, `/v2/api/batches/${id}`, pollMs);
  }
  await addEvaluation(call, lender, model);
  await addReplay(call);
  await addWatchList(call, lender, model);
  await addWebhook(call);
  await addInvitation(app, ctx);
  await addEmptyWorkspace(app, ctx);
}

/** The documents of so many customers, spread over all of them. */
function documentsOf(lender: string, count: number): string[] {
  const [header, ...lines] = readFileSync(join(lender, 'tables', 'customers.csv'), 'utf8')
    .trimEnd()
    .split('\n');
  const column = header!.split(',').indexOf('legal_document');
  return Array.from({ length: count }, (_, at) => lines[Math.floor((at * lines.length) / count)]!.split(',')[column]!);
}

async function addPredictions(call: Call, lender: string, modelId: string): Promise<void> {
  const documents = documentsOf(lender, predictions);
  const { total } = (await call('GET', '/v1/api/predictions?limit=1&count=true')) as { total: { count: number } };
  for (let at = total.count; at < predictions; at++) {
    const past = at % pastEvery === 0 ? pastDays[(at / pastEvery) % pastDays.length] : undefined;
    await call('POST', `/v1/api/prediction/${modelId}/${alias}`, {
      legal_document: documents[at],
      ...(past === undefined ? {} : { reference_date: daysAgo(past) }),
    });
  }
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}

/** Writes the lender's applications, some spoilt so that each is refused for a reason of its own. Returns the file. */
function spoilApplications(lender: string): string {
  const file = join(lender, 'applications-with-errors.csv');
  if (existsSync(file)) return file;
  const [header, ...rows] = readFileSync(join(lender, 'applications.csv'), 'utf8').trimEnd().split('\n');
  const [name, documented, dated] = header!.split(',').map((_, at) => at) as [number, number, number];
  const spoilt: Readonly<Record<number, (fields: string[]) => string[]>> = {
    3: (fields) => fields.with(documented, ''),
    11: (fields) => fields.with(dated, '31/02/2025'),
    12: (fields) => fields.with(dated, 'yesterday'),
    20: (fields) => fields.with(dated, '2999-12-31'),
    28: (fields) => [...fields.slice(0, -1), 'unknown-model/production'],
    35: (fields) => [...fields, 'one field too many'],
    44: (fields) => fields.with(documented, '').with(name, ''),
  };
  const lines = rows.map((row, at) => {
    const fields = [...row.split(','), ''];
    return (spoilt[at]?.(fields) ?? fields).join(',');
  });
  writeFileSync(file, `${[`${header},endpoint`, ...lines].join('\n')}\n`);
  return file;
}

async function addEvaluation(call: Call, lender: string, model: string): Promise<void> {
  const path = 'examples/repaying-customers.csv';
  await upload(call, [{ path, from: join(lender, 'tasks', 'default-90d', 'val.csv') }]);
  const { id } =
    (await newest(call, '/v1/api/evaluations', hasNotFailed)) ??
    (await call('POST', '/v1/api/evaluations', { file: { path }, model, segments: ['state', 'kind'] }));
  await finished(call, `/v1/api/evaluations/${id}`, pollMs);
}

async function addReplay(call: Call): Promise<void> {
  const { id } =
    (await newest(call, '/v1/api/replays', hasNotFailed)) ??
    (await call('POST', '/v1/api/replays', { predictions: { sample: predictions } }));
  await finished(call, `/v1/api/replays/${id}`, pollMs);
}

async function addWatchList(call: Call, lender: string, model: string): Promise<void> {
  if (await newest(call, '/v1/api/watch-lists', ({ name }) => name === watchList)) return;
  await call('POST', '/v1/api/watch-lists', { name: watchList, model, keys: documentsOf(lender, watched) });
}

async function addWebhook(call: Call): Promise<void> {
  const { id, status } =
    (await newest(call, '/v1/api/webhooks', ({ url }) => url === webhookUrl)) ??
    (await call('POST', '/v1/api/webhooks', {
      ...{ url: webhookUrl, events: ['batch-lifecycle', 'training-run-lifecycle'] },
      description: 'An example: enable it with an address of your own',
    }));
  if (status === 'active') await call('PATCH', `/v1/api/webhooks/${id}`, { status: 'disabled' });
}

async function addInvitation(app: App, ctx: Context): Promise<void> {
  try {
    await invite(app, ctx, invited);
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== 'already_invited') throw error;
  }
}

async function addEmptyWorkspace(app: App, { organizationId, timeZone, language }: Context): Promise<void> {
  await system(app.db, 'demo', async (tx) => {
    const known = await tx
      .selectFrom('workspaces')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('name', '=', emptyWorkspace)
      .executeTakeFirst();
    if (!known) await addWorkspace(tx, operatorContext(organizationId), { name: emptyWorkspace, timeZone, language });
  });
}
