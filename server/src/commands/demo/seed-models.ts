import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../lib/files/whole-folder.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { type Call, finished, hasNotFailed, newest, type State, upload } from './caller.ts';
import { type DemoTask, demoTasks, generateLines, readRings } from './lines.ts';
import type { Steps } from './steps.ts';

export const alias = 'production';
/** How often to poll. It may be slow, because nobody waits for these models. */
const pollMs = 1_000;
/** A table that only the lender's other lines have. It tells whether they were added. */
const telling = 'cards';

/** A model that serves behind the alias, and an example request body. */
export type DemoModel = {
  readonly name: string;
  readonly model_id: string;
  readonly example: Readonly<Record<string, string>>;
};

export type DemoPlan = { readonly seed: number; readonly from: string; readonly until: string };

/**
 * Adds the lender's other lines to its workspace (a newer contract and its tables), and trains a model of every kind
 * but credit, one after the other, so that other training runs get their turn in between. `customer`: one of the
 * lender's customers, as a request body. `models`: the models that already serve. `keep` is called with all serving
 * models whenever another one serves; `steps` hear of each. A model that cannot be trained is reported, and the others
 * continue. Throws an Error when the tables cannot be ingested.
 */
export async function seedModels(
  call: Call,
  lender: string,
  plan: DemoPlan & { readonly customer: Readonly<Record<string, string>> },
  models: readonly DemoModel[],
  say: (line: string) => void,
  keep: (models: readonly DemoModel[]) => void,
  steps: Steps,
): Promise<void> {
  for (const { name, model_id } of models) await steps.report(name, { status: 'ready', modelId: model_id });
  const open = demoTasks(plan).filter(({ name }) => models.every((model) => model.name !== name));
  if (open.length === 0) return steps.report('lines', { status: 'ready' });
  const names = open.map(({ name }) => name).join(', ');
  say(`preparing models of the other kinds in the background: ${names}`);
  const folder = join(lender, 'lines');
  const isTaken = await steps.run('lines', async () => {
    if (!existsSync(folder)) await writeWhole(folder, (partial) => generateLines(lender, partial, plan));
    return takeIn(call, folder, steps);
  });
  if (!isTaken) {
    const detail = 'the contract of the workspace was changed';
    for (const step of ['lines', ...open.map(({ name }) => name)])
      await steps.report(step, { status: 'failed', detail });
    say('the contract of the demo workspace was changed: models of the other kinds are left out');
    return;
  }
  const [suspect] = (await readRings(folder)).flatMap(({ unknown }) => unknown);
  const examples = {
    customers: plan.customer,
    cards: { card_id: suspect ?? 'C000001' },
    leads: { lead_id: 'E000001' },
  };
  let ready = models;
  for (const task of open) {
    try {
      const example = examples[task.entity];
      const model_id = await steps.run(task.name, async () => {
        const id = await trainModel(call, task, steps);
        if (id === null) return null;
        await call('POST', `/v1/api/prediction/${id}/${alias}`, example);
        await steps.report(task.name, { status: 'running', modelId: id });
        return id;
      });
      if (model_id === null) {
        await steps.report(task.name, { status: 'failed', detail: 'its training was interrupted' });
        say(`${task.name} is left out: its training was interrupted`);
        continue;
      }
      const model = { name: task.name, model_id, example };
      ready = [...ready, model];
      keep(ready);
      say(`${task.name} is ready: ${model_id}`);
    } catch (error) {
      if (isStopped(error)) throw error;
      say(
        `error: ${task.name} is not ready: ${error instanceof Error ? error.message : String(error)}; start again to try again`,
      );
    }
  }
  say(`${ready.length} models of other kinds are ready; demo.json has them with a row to ask each about`);
}

/**
 * Activates the contract of all lines and ingests their tables. Returns false when a contract by somebody else is
 * active.
 */
async function takeIn(call: Call, folder: string, steps: Steps): Promise<boolean> {
  const { data } = (await call('GET', '/v1/api/contracts')) as {
    data: readonly { status: string; document: string }[];
  };
  const active = data.find(({ status }) => status === 'active');
  const hasLines =
    active !== undefined &&
    parseContract(active.document, 'the active contract').tables.some(({ name }) => name === telling);
  if (!hasLines && data.length !== 1) return false;
  if (!hasLines)
    await call('POST', '/v1/api/contracts', {
      document: readFileSync(join(folder, 'contract.yaml'), 'utf8'),
      accept: true,
    });
  const tables = readdirSync(join(folder, 'tables')).sort();
  const isOurs = (one: State) => takesIn(one, telling) && hasNotFailed(one);
  let ingestion = await newest(call, '/v1/api/ingestions?limit=200', isOurs);
  if (!ingestion) {
    const files = await upload(
      call,
      tables.map((name) => ({ path: `demo/lines/${name}`, from: join(folder, 'tables', name) })),
    );
    ingestion = await call('POST', '/v1/api/ingestions', {
      files: tables.map((name, at) => ({ file_id: files[at], table: name.replace(/\.csv$/, ''), mode: 'replace' })),
    });
  }
  await steps.report('lines', { status: 'running', ingestionId: ingestion.id as string });
  await finished(call, `/v1/api/ingestions/${ingestion.id}`, pollMs);
  return true;
}

function isStopped(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Whether an ingestion includes a file of this table. */
export function takesIn({ files }: State, table: string): boolean {
  return (files as readonly { table: string }[]).some((file) => file.table === table);
}

/** Returns the model of a task, trained unless it was before; null when its training was interrupted. */
async function trainModel(call: Call, { name, definition }: DemoTask, steps: Steps): Promise<string | null> {
  const task =
    (await newest(call, '/v1/api/tasks?limit=200', (one) => one.name === name)) ??
    (await call('POST', '/v1/api/tasks', { name, definition }));
  const runs = (one: State) => one.task_id === task.id && (hasNotFailed(one) || one.status === 'interrupted');
  const run =
    (await newest(call, '/v1/api/training-runs?limit=200', runs)) ??
    (await call('POST', '/v1/api/training-runs', { task_id: task.id, alias }));
  if (run.status === 'interrupted') return null;
  await steps.report(name, { status: 'running', trainingRunId: run.id as string });
  return (await finished(call, `/v1/api/training-runs/${run.id}`, pollMs)).model_id as string;
}
