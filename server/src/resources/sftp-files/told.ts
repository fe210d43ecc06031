import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import type { Field } from '../../ml/version/schema.ts';
import { endpointColumn } from '../../serving/rows/targets.ts';
import type { App } from '../app.ts';
import { saidOf, type Warning } from '../batches/batch.ts';
import { listErrors } from '../batches/errors.ts';
import type { JobFailure } from '../job.ts';
import { type NameSource, resultName, shownMs } from './sftp-file.ts';
import { selectNames, selectNamesOfDigest, selectServed, selectTold, type Told } from './sql.ts';

/** Rows of a list of rejects; the API has all of them. */
export const rejectsMax = 10_000;
const rejectsPage = 200;
/** Files of one name that are told of: the newest. */
export const toldOfNameMax = 1_000;
/** Names, and files of them, that are in memory at once: of files more than one name has. */
const namesMax = 200;
const filesMax = 2 * toldOfNameMax;

/** The files that came lately under one name, each with what became of its batch, the oldest first. */
export type Story = { readonly name: string; readonly files: readonly Told[] };

/** The stories of all names, in order of name, some at a time; `ensure` gives the right to each page. */
export async function* listStories({ db }: App, ensure: () => Promise<Context>): AsyncGenerator<Story[]> {
  let after = '';
  for (;;) {
    const ctx = await ensure();
    const { names, stories } = await tenant(db, ctx, async (tx) => {
      const listed = await selectNames(tx, shownSince(), after, namesMax);
      return { names: listed, stories: await selectStories(tx, listed) };
    });
    if (stories.length > 0) yield stories;
    const last = stories.at(-1)?.name;
    if (last === undefined || (last === names.at(-1) && names.length < namesMax)) return;
    after = last;
  }
}

/** The story of the name of which something in `batch/out` or `batch/logs` is named; undefined where there is none. */
export async function findStory({ db }: App, ctx: Context, of: NameSource): Promise<Story | undefined> {
  const stories = await tenant(db, ctx, async (tx) => {
    const long = of.digest === null ? [] : await selectNamesOfDigest(tx, of.digest, of.bytesMin);
    return selectStories(tx, [...of.names, ...long].filter(of.isOf));
  });
  return stories[0];
}

/** The stories of names, or of the first of them when they have more files than are in memory at once. */
async function selectStories(tx: Tx, names: readonly string[]): Promise<Story[]> {
  if (names.length === 0) return [];
  const told = await selectTold(tx, { names, since: shownSince(), ofName: toldOfNameMax, most: filesMax });
  const stories = [...Map.groupBy(told, ({ name }) => name)].map(([name, files]) => ({ name, files: files.reverse() }));
  // The last one may have been cut off; there are two at least.
  return told.length < filesMax ? stories : stories.slice(0, -1);
}

function shownSince(): Date {
  return new Date(Date.now() - shownMs);
}

/** What a log says about the files that came under one name, the oldest first: a line for each thing that happened. */
export function logOf(told: readonly Told[]): string {
  const lines = told.flatMap((file) => linesOf(file));
  return `${lines
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, text }) => `${at.toISOString()} ${text}`)
    .join('\n')}\n`;
}

type Line = { readonly at: Date; readonly text: string };

function linesOf(file: Told): Line[] {
  const { name, bytes, sha256, status, created_at, settled_at, removed_at, problems } = file;
  const lines: Line[] = [];
  const say = (at: Date | null, text: string) => at !== null && lines.push({ at, text });
  if (status === 'incomplete') say(created_at, `${name}: the line dropped after ${bytes} bytes; send the rest, or all`);
  else if (sha256 === null) say(created_at, `received ${name}: ${bytes} bytes, which were not kept`);
  else say(created_at, `received ${name}: ${bytes} bytes, SHA-256 ${sha256}`);
  if (status === 'held') say(created_at, `${name} waits to be renamed: its name says that it is not finished`);
  for (const problem of problems) say(settled_at, `refused: ${problem}`);
  if (status === 'accepted') say(settled_at, `accepted as batch ${file.batch_id}`);
  say(file.started_at, `batch ${file.batch_id} is running`);
  const warnings = (file.warnings ?? []) as readonly Warning[];
  for (const warning of warnings)
    for (const { message } of saidOf(warning, name, Number(file.output_rows ?? 0)))
      say(file.finished_at, `to know: ${message}`);
  if (file.finished_at !== null) say(file.finished_at, endOf(file));
  say(removed_at, `${name} was removed, or replaced`);
  return lines;
}

function endOf(file: Told): string {
  const { batch_id, batch_status, failure, rows, output_rows, output_format } = file;
  const scored = `${output_rows ?? 0} of ${rows ?? 0} rows scored`;
  const where = output_format && file.output_key ? `, in batch/out/${resultName(file.name, output_format)}` : '';
  if (batch_status === 'succeeded') return `batch ${batch_id} succeeded: ${scored}${where}`;
  const { code, detail } = (failure ?? { code: 'internal', detail: '' }) as JobFailure;
  return `batch ${batch_id} failed: ${code}: ${detail} (${scored}${where})`;
}

/** The rows of a batch that were not scored, as CSV: the first 10,000. */
export async function rejectsOf(app: App, ctx: Context, batchId: string): Promise<string> {
  const lines = ['row,column,code,message'];
  let cursor: string | undefined;
  do {
    const page = await listErrors(app, ctx, batchId, { limit: rejectsPage, ...(cursor !== undefined && { cursor }) });
    for (const { row, column, code, message } of page.data)
      lines.push([row ?? '', column ?? '', code, message].map((field) => quoted(String(field))).join(','));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && lines.length <= rejectsMax);
  return `${lines.slice(0, rejectsMax + 1).join('\n')}\n`;
}

/** An example of a file for each model that has an alias `production`, by the model's name. */
export async function listSamples({ db }: App, ctx: Context) {
  const served = await tenant(db, ctx, selectServed);
  return served.map(({ name, inputs, updated_at }) => {
    const fields = (inputs as unknown as Field[]).map(({ name: input, example }) => [input, textOf(example)] as const);
    const cells = [
      [endpointColumn, `${name}/production`] as const,
      ...fields,
      ['correlation_id', 'row-1'] as const,
      ['reference_id', ''] as const,
    ];
    const line = (at: 0 | 1) => cells.map((cell) => quoted(cell[at])).join(',');
    return { name: fileNameOf(name), text: `${line(0)}\n${line(1)}\n`, modified: updated_at };
  });
}

function textOf(example: unknown): string {
  if (example === undefined || example === null) return '';
  return typeof example === 'object' ? JSON.stringify(example) : String(example);
}

function fileNameOf(model: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return `${model.replace(/[/\\\u0000-\u001f]/g, '_').slice(0, 100)}.csv`;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
