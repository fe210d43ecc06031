/**
 * A data set's way through the service over HTTP, beside what the learning core says to the same rows; test support.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rows } from '../src/lib/files/column.ts';
import { type ColumnRequest, readTable } from '../src/lib/files/read.ts';
import { openWriter } from '../src/lib/files/write.ts';
import { instantOf } from '../src/lib/time-zone.ts';
import { parseContract } from '../src/ml/contract/parse.ts';
import { loadTables } from '../src/ml/graph/load.ts';
import type { Table, Tables } from '../src/ml/graph/tables.ts';
import { openVersion } from '../src/ml/inference/predict.ts';
import { openIdentifiers } from '../src/ml/lake/identifiers.ts';
import { openTables } from '../src/ml/lake/open.ts';
import type { Field } from '../src/ml/version/schema.ts';
import { day } from './samples.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';

const data = fileURLToPath(new URL('../../../shared/data', import.meta.url));

export type DatasetCase = {
  readonly name: string;
  readonly task: string;
  readonly later: Later;
  /** The first day of labels to learn from. */
  readonly labelsFrom: string;
  /** No later row is readable up to the end of this day. */
  readonly knownUntil: string;
  readonly rows: () => Asked[];
};

/** Tests a task of a data set, from files without a contract to answers in all ways. */
export function checkDataset({ name, task, labelsFrom, later, knownUntil, rows }: DatasetCase): void {
  describe(`${name} ${task}`, () => {
    if (!isDatasetHere(name)) return test.skip('is not here');
    let service: TestService;
    let tenant: Tenant;
    let state: TakenIn;
    let learned: Learned;
    let told: Answer[];
    const alias = 'production';

    beforeAll(async () => {
      service = await startTestService();
      tenant = await service.tenant(name);
    });
    afterAll(() => service.close());

    test('files without a contract become tables, a task and a version under an alias', async () => {
      state = await takeIn(service, tenant.client, name, later);
      learned = await learnTask(tenant.client, { name, task, alias, labelsFrom });
      expect(learned.outputs.map((field) => field.name)).toContain('prediction');
    });

    test('at once and in batches of every format the answers have the bits of the learning core', async () => {
      const { client } = tenant;
      told = await answerNow(client, learned, alias, rows());
      expect(new Set(told.map(({ prediction }) => prediction)).size).toBeGreaterThan(rows().length / 2);
      for (const format of ['csv', 'parquet', 'jsonl'] as const)
        expect(differences(await answerInBatch(service, client, learned, alias, format, rows()), told)).toEqual([]);
      expect(
        differences(await answerInCore(service, tenant, learned, await tablesOf(service, tenant), rows()), told),
      ).toEqual([]);
    });

    test('the learning core answers alike over the files as they were sent', async () => {
      const tables = await tablesSent(service, tenant, state);
      expect(differences(await answerInCore(service, tenant, learned, tables, rows()), told)).toEqual([]);
    });

    test('newer rows of a table change the answers that may know of them, once, and no other', async () => {
      const { client } = tenant;
      const append = async () => {
        const file = await client.upload('newer.csv', state.later);
        return ingest(client, [{ file_id: file, table: later.table, mode: 'append' }]);
      };
      const added = await append();
      expect(added).toMatchObject({ status: 'succeeded', changed: true, failure: null });
      expect(added.report.files).toMatchObject([
        { path: 'newer.csv', added: state.later.trimEnd().split('\n').length - 1, identical: 0, rejected: 0 },
      ]);
      expect(added.snapshot_id).not.toBe(state.snapshotId);
      await untilServed(client, learned, added.snapshot_id, rows()[0]);
      const now = await answerNow(client, learned, alias, rows());
      const isBefore = rows().map(({ day }) => day !== null && day <= knownUntil);
      expect(now.filter((_, at) => isBefore[at])).toEqual(told.filter((_, at) => isBefore[at]));
      expect(isBefore.filter(Boolean).length).toBeGreaterThan(10);
      expect(now.filter((answer, at) => answer.prediction !== told[at].prediction).length).toBeGreaterThan(5);
      expect(differences(await answerInBatch(service, client, learned, alias, 'csv', rows()), now)).toEqual([]);
      expect(
        differences(await answerInCore(service, tenant, learned, await tablesOf(service, tenant), rows()), now),
      ).toEqual([]);

      expect(await append()).toMatchObject({ status: 'succeeded', changed: false, snapshot_id: added.snapshot_id });
      expect(await answerNow(client, learned, alias, rows().slice(0, 5))).toEqual(now.slice(0, 5));
    });
  });
}

/** A question about the drivers of rel-f1; what a table holds of the last season comes later. */
export function ofRaces({
  task,
  labelsFrom,
  laterTable,
}: {
  task: string;
  labelsFrom: string;
  laterTable: string;
}): DatasetCase {
  const name = 'rel-f1';
  let lastSeason: Set<string> | undefined;
  const isLater = ({ raceId }: Readonly<Record<string, string>>) => {
    const races = () => linesOf(name, 'tables/races.csv').filter(({ year }) => year === '2009');
    lastSeason ??= new Set(races().map((race) => race.raceId));
    return lastSeason.has(raceId);
  };
  return {
    name,
    task,
    labelsFrom,
    later: { table: laterTable, isLater },
    knownUntil: '2009-01-31',
    rows() {
      const early = linesOf(name, `tasks/${task}/val.csv`).slice(0, 15);
      const asked = linesOf(name, `tasks/${task}/test.csv`).slice(0, 50);
      return [...early, ...asked].map(({ date, driverId }) => ({ day: date, inputs: { driverId } }));
    },
  };
}

/** Whether a data set is on this machine; says aloud when it is not. */
function isDatasetHere(name: string): boolean {
  const isHere = existsSync(join(data, name, 'tables'));
  if (!isHere) console.warn(`SKIPPED: no data in ${join(data, name)}; nothing is checked on ${name}`);
  return isHere;
}

/** The lines of one of a data set's CSV files without quotes, each by column. */
export function linesOf(name: string, path: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(join(data, name, path), 'utf8')
    .trimEnd()
    .split(/\r?\n/);
  const columns = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
  });
}

/** A table whose newest rows come in a file of their own. */
type Later = { readonly table: string; readonly isLater: (line: Readonly<Record<string, string>>) => boolean };

type TakenIn = {
  readonly snapshotId: string;
  /** The active contract, YAML. */
  readonly contract: string;
  /** The data set's folder as far as it was taken in. */
  readonly folder: string;
  /** The file with the newest rows of one table, which was not. */
  readonly later: string;
};

/** Takes the tables in without a contract: what is proposed for them is accepted as it is. */
async function takeIn(service: TestService, client: Client, name: string, held: Later): Promise<TakenIn> {
  const folder = mkdtempSync(join(service.folder, `${name}-`));
  mkdirSync(join(folder, 'tables'));
  let later = '';
  const files = [];
  for (const file of readdirSync(join(data, name, 'tables'))) {
    const path = join(folder, 'tables', file);
    const table = file.replace('.csv', '');
    if (table === held.table) {
      const [header, ...lines] = readFileSync(join(data, name, 'tables', file), 'utf8')
        .trimEnd()
        .split(/\r?\n/);
      const isLater = linesOf(name, `tables/${file}`).map(held.isLater);
      const text = (side: boolean) => `${[header, ...lines.filter((_, at) => isLater[at] === side)].join('\n')}\n`;
      writeFileSync(path, text(false));
      later = text(true);
    } else copyFileSync(join(data, name, 'tables', file), path);
    files.push({ file_id: await client.uploadFile(path), table });
  }
  const first = await ingest(client, files);
  expect(first, JSON.stringify(first)).toMatchObject({ status: 'refused', failure: null, snapshot_id: null });
  const deviations = await client.get(`/v1/api/ingestions/${first.id}/deviations`);
  expect(deviations.body).toMatchObject({
    classification: 'new_contract_version',
    proposed_contract_id: first.proposed_contract_id,
  });
  const proposed = await client.get(`/v1/api/contracts/${first.proposed_contract_id}`);
  expect(proposed.body).toMatchObject({ number: 1, status: 'proposed', ingestion_id: first.id });
  const accepted = await client.post(`/v1/api/contracts/${first.proposed_contract_id}/acceptance`);
  expect(accepted.body, accepted.text).toMatchObject({ status: 'active' });
  const { body: done } = await client.finished(`/v1/api/ingestions/${accepted.body.started_ingestion_id}`);
  const refused = await client.get(`/v1/api/ingestions/${done.id}/deviations`);
  expect(done, refused.text).toMatchObject({ status: 'succeeded', changed: true, contract_id: accepted.body.id });
  expect(done.report.tables.map(({ table }: { table: string }) => table)).toEqual(files.map(({ table }) => table));
  return { snapshotId: done.snapshot_id, contract: proposed.body.document, folder, later };
}

/** Asks for an ingestion and waits for its end. */
async function ingest(client: Client, files: readonly { file_id: string; table: string; mode?: string }[]) {
  const asked = await client.post('/v1/api/ingestions', { files });
  expect(asked.status, asked.text).toBe(202);
  return (await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body;
}

type Learned = {
  readonly modelId: string;
  readonly versionId: string;
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
};

/** Learns one of the data set's tasks, watching the run to its end, and points an alias at its version. */
async function learnTask(
  client: Client,
  { name, task, alias, labelsFrom }: { name: string; task: string; alias: string; labelsFrom: string },
): Promise<Learned> {
  const read = (file: string) => readFileSync(join(data, name, 'tasks', task, file), 'utf8');
  const [header, ...lines] = read('train.csv').trimEnd().split(/\r?\n/);
  expect(header.startsWith('date,')).toBe(true);
  const labels = {
    train: await client.upload('train.csv', `${[header, ...lines.filter((line) => line >= labelsFrom)].join('\n')}\n`),
    validation: await client.upload('val.csv', read('val.csv')),
  };
  const definition = read('task.yaml');
  const made = await client.post('/v1/api/tasks', { name: task, definition, labels });
  expect(made.status, made.text).toBe(201);
  const asked = await client.post('/v1/api/training-runs', { task_id: made.body.id });
  expect(asked.status, asked.text).toBe(202);
  const events = await client.get(`/v1/api/training-runs/${asked.body.id}/events`);
  expect(events.headers.get('content-type')).toContain('text/event-stream');
  const states = [...events.text.matchAll(/^event: run\ndata: (.*)\n$/gm)].map(([, text]) => JSON.parse(text));
  const fractions = states.map(({ fraction }) => fraction);
  expect(states.length).toBeGreaterThan(2);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  const run = states.at(-1);
  expect(run, events.text).toMatchObject({ status: 'succeeded', fraction: 1, eta: null, failure: null });
  const { model_id: modelId, version_id: versionId } = run;

  const before = await client.post(`/v1/api/prediction/${modelId}/${alias}`, {});
  expect(before.body.code).toBe('not_found');
  const pointed = await client.send('PUT', `/v1/api/models/${modelId}/aliases/${alias}`, {
    body: { version_id: versionId },
  });
  expect(pointed.status, pointed.text).toBe(200);
  const version = await client.get(`/v1/api/models/${modelId}/versions/${versionId}`);
  expect(version.body).toMatchObject({ status: 'active', aliases: [alias], metrics: run.metrics });
  // Files hold lists as texts.
  const inText = (field: Field): Field => ((field.type as string) === 'array' ? { ...field, type: 'string' } : field);
  return { modelId, versionId, inputs: version.body.inputs, outputs: version.body.outputs.map(inText) };
}

/** A row to predict, its values as texts; as of the end of a day, or of now. */
export type Asked = { readonly day: string | null; readonly inputs: Readonly<Record<string, string>> };

/** The outputs of a row by name, as of which instant, for comparison bit by bit. */
type Answer = Readonly<Record<string, unknown>>;

/** Where answers differ in any bit, as `row.name: one, other`. */
function differences(one: readonly Answer[], other: readonly Answer[]): string[] {
  return one.flatMap((answer, row) =>
    [...new Set([...Object.keys(answer), ...Object.keys(other[row] ?? {})])]
      .filter((name) => !Object.is(answer[name], other[row]?.[name]))
      .map((name) => `${row}.${name}: ${answer[name]}, ${other[row]?.[name]}`),
  );
}

const isTime = (type: string) => type === 'date' || type === 'timestamp' || type === 'time';

/** The inputs of a row that a version takes. */
function taken({ inputs }: Learned, asked: Asked): [Field, string][] {
  return inputs.flatMap((field) => {
    const text = field.name === 'reference_date' ? asked.day : asked.inputs[field.name];
    return text ? [[field, text] as [Field, string]] : [];
  });
}

/** What the real-time route answers, row by row. */
async function answerNow(client: Client, learned: Learned, alias: string, rows: readonly Asked[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [at, asked] of rows.entries()) {
    const { status, body: told, text } = await predictOne(client, learned, alias, asked, `row ${at}`);
    expect(status, text).toBe(200);
    expect(told).toMatchObject({ correlation_id: `row ${at}`, version_id: learned.versionId });
    answers.push(comparable(learned, { ...told, key_factors: JSON.stringify(told.key_factors) }));
  }
  return answers;
}

/** Asks until predictions are made with a snapshot, as they are soon after it was made. */
async function untilServed(client: Client, learned: Learned, snapshotId: string, asked: Asked): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const { body } = await predictOne(client, learned, learned.versionId, asked, 'waiting');
    const logged = await client.get(`/v1/api/predictions/${body.prediction_id}`);
    if (logged.body.snapshot_id === snapshotId) return;
  }
  throw new Error(`${snapshotId} is not predicted with`);
}

function predictOne(client: Client, learned: Learned, alias: string, asked: Asked, correlationId: string) {
  const inputs = taken(learned, asked).map(([{ name, type }, text]) => [
    name,
    type === 'string' || isTime(type) ? text : Number(text),
  ]);
  return client.post(`/v1/api/prediction/${learned.modelId}/${alias}`, {
    ...Object.fromEntries(inputs),
    correlation_id: correlationId,
  });
}

const comparable = ({ outputs }: Learned, told: Readonly<Record<string, unknown>>): Answer =>
  Object.fromEntries(outputs.map(({ name }) => [name, told[name]]));

type Format = 'csv' | 'parquet' | 'jsonl';

/** Writes rows to predict as a file of the format. */
async function writeAsked(folder: string, format: Format, learned: Learned, rows: readonly Asked[]) {
  const columns = [...learned.inputs.map(({ name, type }): ColumnRequest => ({ name, type }))];
  const requests: ColumnRequest[] = [...columns, { name: 'correlation_id', type: 'string' }];
  const text = rows.map((asked, at) => {
    const given = new Map(taken(learned, asked).map(([{ name }, value]) => [name, value]));
    return [...columns.map(({ name }) => given.get(name) ?? ''), `row ${at}`].join(',');
  });
  const asCsv = join(folder, 'asked.csv');
  writeFileSync(asCsv, `${[requests.map(({ name }) => name).join(','), ...text].join('\n')}\n`);
  const { rows: typed } = await readTable([asCsv], requests);
  if (format === 'csv') return { path: asCsv, typed };
  const path = join(folder, `asked.${format}`);
  const writer = await openWriter(path, format, requests);
  await writer.write(typed);
  await writer.close();
  return { path, typed };
}

/** What a batch of one file answers, in the order of its rows. */
async function answerInBatch(
  service: TestService,
  client: Client,
  learned: Learned,
  alias: string,
  format: Format,
  rows: readonly Asked[],
): Promise<Answer[]> {
  const folder = mkdtempSync(join(service.folder, 'batch-'));
  const { path } = await writeAsked(folder, format, learned, rows);
  const file = await client.uploadFile(path);
  const asked = await client.post('/v2/api/batches', { files: [file], model: `${learned.modelId}/${alias}` });
  expect(asked.status, asked.text).toBe(202);
  const { body: batch, text } = await client.finished(`/v2/api/batches/${asked.body.id}`);
  expect(batch, text).toMatchObject({
    status: 'succeeded',
    model: { version_id: learned.versionId },
    progress: { rows: { total: rows.length, succeeded: rows.length, failed: 0 } },
    warnings: format === 'jsonl' ? [{ code: 'jsonl_deprecated' }] : [],
  });
  const result = await client.get(`/v2/api/batches/${asked.body.id}/result`);
  const download = await fetch(result.body.download_url);
  const out = join(folder, `answers.${format}`);
  writeFileSync(out, Buffer.from(await download.arrayBuffer()));
  const fields = [...learned.outputs, { name: 'correlation_id', type: 'string' } as Field];
  // Text as it stands, so that it is this file that turns it into numbers.
  const requests = fields.map(({ name, type }) => ({ name, type: format === 'parquet' ? type : ('string' as const) }));
  const read = await readTable([out], requests);
  expect({ rows: read.rows.rows, rejected: read.rejectedTotal }).toEqual({ rows: rows.length, rejected: 0 });
  return rows.map((_, at) => {
    const told: Record<string, unknown> = {};
    for (const { name, type } of fields) {
      const value = valueAt(read.rows, name, at);
      if (value === null || type === 'string') told[name] = value;
      else if (isTime(type))
        told[name] = new Date(format === 'parquet' ? Number(value) / 1000 : String(value)).toISOString();
      else told[name] = Number(value);
    }
    expect(told.correlation_id).toBe(`row ${at}`);
    return comparable(learned, told);
  });
}

/** What the learning core answers over tables: the version's folder opened by itself, without the service. */
async function answerInCore(
  { folder: place, service }: TestService,
  { ctx }: Tenant,
  learned: Learned,
  tables: Tables,
  rows: readonly Asked[],
): Promise<Answer[]> {
  const folder = mkdtempSync(join(place, 'core-'));
  const version = join(folder, 'version');
  mkdirSync(version);
  const prefix = `${ctx.organizationId}/${ctx.workspaceId}/versions/${learned.versionId}/`;
  for await (const { key } of service.app.storage.list(prefix))
    copyFileSync(await service.app.storage.localPath(key, null), join(version, key.slice(prefix.length)));
  const { typed } = await writeAsked(folder, 'csv', learned, rows);
  const { reference_date: _, ...columns } = Object.fromEntries(typed.columns);
  // The last microsecond of the day asked about, on the clock of the data.
  const asOf = Float64Array.from(rows, (asked) => Date.parse(asked.day ?? today) * 1000 + day - 1);
  const opened = await openVersion(version, tables);
  const answers = opened.predict(
    { rows: typed.rows, columns: new Map(Object.entries(columns)) },
    { asOf, dataUntil: asOf, factors: 4, language: ctx.language },
  );
  opened.close();
  return rows.map((_, at) => {
    const told = learned.outputs.map(({ name, type }): [string, unknown] => {
      const value = valueAt(answers, name, at);
      if (!isTime(type) || value === null) return [name, value];
      return [name, new Date(instantOf(ctx.timeZone, Math.floor(Number(value) / 1000))).toISOString()];
    });
    return Object.fromEntries(told);
  });
}

const today = new Date().toISOString().slice(0, 10);

/** The tables of the newest snapshot as the service opens them. */
async function tablesOf({ service, owner }: TestService, { ctx }: Tenant): Promise<Tables> {
  const { storage } = service.app;
  const { rows } = await owner.pool.query(
    'select frozen_key, identifiers_key from workspaces join snapshots on snapshots.id = snapshot_id where workspaces.id = $1',
    [ctx.workspaceId],
  );
  const [{ frozen_key, identifiers_key }] = rows;
  return openTables(await storage.localPath(frozen_key, null), await storage.localPath(identifiers_key, null));
}

/** The tables as the learning core reads them off the files that were sent, without a snapshot. */
async function tablesSent({ service, owner }: TestService, { ctx }: Tenant, taken: TakenIn): Promise<Tables> {
  const { tables } = await loadTables(taken.folder, parseContract(taken.contract, 'contract'));
  const { rows } = await owner.pool.query('select identifiers_key from workspaces where id = $1', [ctx.workspaceId]);
  const identifiers = await openIdentifiers(await service.app.storage.localPath(rows[0].identifiers_key, null));
  // Labels of a version that the service made name people and companies by the numbers of its dictionary.
  return new Map(
    [...tables].map(([name, table]): [string, Table] => {
      const [key] = table.contract.key;
      const get = (number: number | string) => {
        const known = identifiers.entryOf(Number(number))?.identifier;
        if (known === undefined) return undefined;
        return table.rowOf.get(table.columns.get(key)?.kind === 'text' ? known : Number(known));
      };
      return [name, { ...table, numbers: { columns: new Set([key]), rowOf: { get } } }];
    }),
  );
}

function valueAt({ columns }: Rows, name: string, row: number): string | number | null {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`the answers lack ${name}`);
  if (column.kind === 'text') return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
  return Number.isNaN(column.values[row]) ? null : column.values[row];
}
