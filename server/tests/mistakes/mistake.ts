/** What a mistake is, and how its text is shown; test support. */
import type { Client, Reply, Tenant, TestService } from '../service.ts';
import { csv, shopTables } from '../shop.ts';

/** A workspace with the shop's tables, contract, label files and a model behind `returns/production`. */
export type Place = {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly client: Client;
  readonly version: string;
  readonly labels: { readonly train: string; readonly validation: string };
};

/** What the service said: a refusal, or what it noted about work that ended or goes on. */
export type Told = {
  /** The code of a refusal, or where the text stands in an answer. */
  readonly code: string;
  readonly texts: readonly string[];
};

export type Mistake = {
  /** What somebody did, as a noun phrase. */
  readonly did: string;
  readonly make: (place: Place) => Promise<Told>;
  readonly code: string;
  /** What the text must name: the field or row, what was expected, what to do. */
  readonly says: readonly RegExp[];
};

/** The text of a refusal: each field's own where there are several. */
export function refusal({ status, body, text }: Reply): Told {
  if (status < 400) throw new Error(`was not refused: ${status} ${text}`);
  const { code, detail, errors } = body;
  const own = errors.map(
    ({ pointer, detail }: { pointer: string; detail: string }) => `${pointer || 'the body'}: ${detail}`,
  );
  return { code: `${status} \`${code}\``, texts: own.length > 1 ? own : [detail] };
}

/** Sends orders as a file, and says how they deviate, or what was noted where they did not. */
export async function deviations(
  client: Client,
  sent: {
    readonly bytes: string | Uint8Array;
    readonly name?: string;
    readonly mode?: string;
    readonly table?: string;
  },
): Promise<Told> {
  const { bytes, name = 'orders.csv', mode = 'append', table = 'orders' } = sent;
  const file_id = await client.upload(name, bytes);
  const asked = await client.post('/v1/api/ingestions', { files: [{ file_id, table, mode }] });
  const { body } = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  if (body.status === 'failed') return { code: `failed, \`${body.failure.code}\``, texts: [body.failure.detail] };
  const told = await client.get(`/v1/api/ingestions/${body.id}/deviations`);
  const found = told.body.files.flatMap((file: { deviations: DeviationBody[] }) => file.deviations);
  return {
    code: `refused, \`${told.body.classification}\``,
    texts: found.map(textOf),
  };
}

type DeviationBody = {
  readonly message: string;
  readonly samples?: readonly { readonly row: number | null; readonly value: unknown }[];
};

function textOf({ message, samples = [] }: DeviationBody): string {
  const [first] = samples;
  return first?.row == null ? message : `${message} (row ${first.row}: ${JSON.stringify(first.value)})`;
}

/** Orders beside those of the shop, with a line of one's own. */
export function orders(...lines: readonly string[]): string {
  const more = Array.from({ length: 40 }, (_, i) => [`M${i}`, `C${i % 7}`, '2023-05-05', 7]);
  return csv('order_id,customer_id,ordered_at,amount', more) + lines.map((line) => `${line}\n`).join('');
}

/** All orders of the shop with what a replacement changes in the text. */
export function ordersWith(from: string | RegExp, to: string): string {
  return shopTables.orders.replace(from, to);
}

/** Defines a task of its own name and trains it; what the run ends with. */
export async function trained(place: Place, body: object): Promise<Told> {
  const task = await place.client.post('/v1/api/tasks', { name: `task-${tasks++}`, ...body });
  if (task.status !== 201) return refusal(task);
  const run = await place.client.post('/v1/api/training-runs', { task_id: task.body.id });
  if (run.status !== 202) return refusal(run);
  const { failure } = (await place.client.finished(`/v1/api/training-runs/${run.body.id}`)).body;
  return { code: `the run fails, \`${failure?.code}\``, texts: [failure?.detail] };
}
let tasks = 0;

const twoDaysMs = 2 * 24 * 60 * 60 * 1000;

/** Without what is another each time: ids, and days about now. */
export function lasting(text: string): string {
  return text
    .replace(/\b([a-z]{2,4})_[0-9a-f]{32}\b/g, '$1_…')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, (day) => (Math.abs(Date.parse(day) - Date.now()) < twoDaysMs ? '…' : day));
}
