import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws, type Row, sampleContract, sampleRows, sampleTables } from '../../../tests/samples.ts';
import { dayAt, sampleStore, saveTwice, sectorsOf, withFacts } from '../../../tests/support/samples/gfm.ts';
import { readExport, writeExport } from '../export/export.ts';
import { openEmbedder } from '../gfm/embed.ts';
import { openFactGraph } from '../gfm/graph.ts';
import { findLink } from '../gfm-link/link.ts';
import { type LinkedGraphModel, type OpenGraphModel, openGraphModel } from '../gfm-link/reading.ts';
import { openVersion } from '../inference/predict.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { fit } from '../training/fit.ts';
import { readVersion } from '../version/version.ts';
import { feedBack } from './feedback.ts';
import { readRfm } from './folder.ts';
import { openRfm } from './open.ts';
import type { RfmReport } from './report.ts';
import { type RfmOptions, trainRfm } from './train.ts';

const companies = 60;
const store = sampleStore({ companies });
const contract = sampleContract([
  { name: 'client', key: 'client_id', columns: { client_id: 'integer', document: { type: 'string', graphKey: true } } },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'day',
    references: { client_id: 'client' },
    columns: { invoice_id: 'integer', day: 'timestamp', client_id: 'integer', total: 'number' },
  },
]);

/**
 * The sector of a company, which determines the amount of its invoices. Clients that the graph does not have get one
 * fixed sector.
 */
const sectorOf = (company: number) => (company < companies ? sectorsOf(store).codes[company] : 1);
const clients = companies + 20;
const tables = (() => {
  const draw = draws(3);
  const invoice: Row[] = [];
  for (let client_id = 0; client_id < clients; client_id++) {
    for (let time = draw.between(0, 200); time < 950; time += draw.between(40, 160)) {
      const total = 10 ** (1 + sectorOf(client_id)) * (0.5 + draw.next());
      invoice.push({ invoice_id: invoice.length, day: dayAt(time), client_id, total });
    }
  }
  return sampleTables(contract, {
    client: Array.from({ length: clients }, (_, client_id) => ({ client_id, document: `c${client_id}` })),
    invoice,
  });
})();

const until = dayAt(800);
const asked = dayAt(760);
const folder = mkdtempSync(join(tmpdir(), 'lastro-composed-'));
const options: RfmOptions = { until, seed: 1, horizonsDays: [60, 120], steps: 30, pairs: 250 };
const link = findLink({ entity: 'client', ignore: [] }, contract, false);
let model: OpenGraphModel;
let other: OpenGraphModel;
let report: RfmReport;
const train = (name: string, given: Partial<RfmOptions>) =>
  trainRfm(tables, contract, 'client', { ...options, ...given }, join(folder, name), () => {});
beforeAll(async () => {
  await saveTwice(folder, store, dayAt(300));
  model = await openGraphModel(join(folder, 'model'));
  other = await openGraphModel(join(folder, 'other'));
  report = await train('composed', { graphModel: { model, link } });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The model with only those facts that were known by a moment. */
function knowing(moment: number): OpenGraphModel {
  const graph = openFactGraph(withFacts(store, (fact) => store.facts.known[fact] <= moment));
  return { ...model, gfm: { ...model.gfm, graph, ...openEmbedder(graph, model.gfm) } };
}
const given = (of: OpenGraphModel): { graphModel: LinkedGraphModel } => ({ graphModel: { model: of, link } });
const manifestOf = (name: string) => readFileSync(join(folder, name, 'manifest.json'), 'utf8');
const rows = Int32Array.from({ length: clients }, (_, client) => tables.get('client')!.rowOf.get(client)!);
const embed = async (name: string, of: OpenGraphModel, at = asked, readableUntil = at) =>
  (await openRfm(join(folder, name), tables, of)).embed(
    rows,
    new Float64Array(clients).fill(at),
    new Float64Array(clients).fill(readableUntil),
  );

test('vectors of the graph are inputs with a flag for whom it does not have, and heads are what they were', async () => {
  const plain = await train('plain', {});
  expect(plain.graph_model).toBeUndefined();
  expect(report.graph_model!.model_snapshot).toBe(model.gfm.modelSnapshot);
  expect(report.graph_model!.inputs).toBeGreaterThan(30);
  expect(report.inputs).toBe(plain.inputs + report.graph_model!.inputs + 1);
  const asked = ({ heads }: RfmReport) => heads.map(({ target, days, rows }) => ({ target, days, rows }));
  expect(asked(report)).toEqual(asked(plain));
});

test('the same graph model gives the same bytes, whatever becomes known after the end, other facts give others', async () => {
  expect(store.facts.known.some((known) => known > until)).toBe(true);
  await train('later', given(knowing(until)));
  expect(manifestOf('later')).toBe(manifestOf('composed'));
  await train('earlier', given(knowing(until - dayAt(200))));
  expect(manifestOf('earlier')).not.toBe(manifestOf('composed'));
});

test('what the graph comes to know after the moment, or after the limit, changes no bit of an embedding', async () => {
  const told = await embed('composed', model);
  expect(await embed('composed', knowing(asked))).toEqual(told);
  expect(await embed('composed', knowing(asked - dayAt(100)))).not.toEqual(told);
  const stale = await embed('composed', model, asked, asked - dayAt(100));
  expect(await embed('composed', knowing(asked - dayAt(100)), asked, asked - dayAt(100))).toEqual(stale);
});

test('one row and many agree, as of moments of several months', async () => {
  const rfm = await openRfm(join(folder, 'composed'), tables, model);
  const at = Float64Array.from(rows, (_, i) => dayAt(300 + 7 * i));
  const all = rfm.embed(rows, at);
  for (const i of [0, 7, 59, companies, clients - 1])
    expect(rfm.embed(rows.slice(i, i + 1), at.slice(i, i + 1))).toEqual(all.slice(1024 * i, 1024 * (i + 1)));
});

test('an encoder answers and is fine-tuned with the graph model it was composed with alone', async () => {
  expect(readRfm(join(folder, 'composed')).graphModel).toMatchObject({ id: model.id, link });
  await expect(openRfm(join(folder, 'composed'), tables)).rejects.toThrow(
    /the encoder reads vectors .* give its folder/,
  );
  await expect(openRfm(join(folder, 'composed'), tables, other)).rejects.toThrow(/was given demo-2@/);
  const moments = Float64Array.from({ length: 6 * clients }, (_, i) => dayAt(400 + 50 * Math.floor(i / clients)));
  const examples = {
    rows: Int32Array.from(moments, (_, i) => rows[i % clients]),
    at: moments,
    closes: moments.map((moment) => moment + dayAt(30)),
    labels: Float64Array.from(moments, (_, i) => Number(sectorOf(i % clients) === 2)),
  };
  const fineTuneTask = {
    ...{ task: 'leaves', entity: 'client', examples, strict: false, hide: [], ignore: [] },
    objective: { kind: 'binary', metric: 'auroc', classes: [] },
  } as const;
  const trainSteps = (out: string, graphModel?: OpenGraphModel) =>
    feedBack(
      join(folder, 'composed'),
      tables,
      fineTuneTask,
      { tolerance: 1, steps: 20, ...(graphModel && { graphModel }) },
      join(folder, out),
      () => {},
    );
  await expect(trainSteps('untaught')).rejects.toThrow(/give its folder/);
  expect((await trainSteps('fine-tuned', model)).accepted).toBe(true);
  expect(readRfm(join(folder, 'fine-tuned')).graphModel).toEqual(readRfm(join(folder, 'composed')).graphModel);
});

test('where hardly a row is in the graph the encoder is not composed', async () => {
  const strangers = { ...link, kind: 'individual' } as const;
  const said = await train('strangers', { graphModel: { model, link: strangers } });
  expect(said.graph_model).toBeUndefined();
  expect(manifestOf('strangers')).toBe(manifestOf('plain'));
});

test('an export holds the graph model that the encoder reads, and is not made without it', async () => {
  const out = join(folder, 'export');
  const write = (graphModel?: string) =>
    writeExport(out, {
      ...{ encoder: join(folder, 'composed'), entity: 'client', contract, models: [] },
      ...{ modelSnapshot: 'rfm-1', timeZone: 'UTC', language: 'en' },
      ...(graphModel !== undefined && { graphModel }),
    });
  await expect(write()).rejects.toThrow(/vectors of the graph model demo-1@.* give its folder/);
  await expect(write(join(folder, 'other'))).rejects.toThrow(/other is another/);
  await write(join(folder, 'model'));
  const exported = readExport(out);
  const away = await openGraphModel(exported.graphModel!);
  const rfm = await openRfm(exported.encoder, tables, away);
  expect(rfm.embed(rows, new Float64Array(clients).fill(asked))).toEqual(await embed('composed', model));
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain(model.gfm.modelSnapshot);
});

test('a version whose encoder is composed names the graph model, and answers with it alone', async () => {
  const out = join(folder, 'version');
  const draw = draws(9);
  const moments = Float64Array.from({ length: 5 * clients }, (_, i) => dayAt(350 + 80 * Math.floor(i / clients)));
  // The label follows the sector, which the encoder can learn from the graph.
  const labels = moments.map((_, i) => Number(draw.next() < (sectorOf(i % clients) >= 2 ? 0.9 : 0.1)));
  const examples = {
    rows: Int32Array.from(moments, (_, i) => rows[i % clients]),
    at: moments,
    closes: new Float64Array(moments.length).fill(Number.POSITIVE_INFINITY),
    labels,
  };
  const task = parseTask(
    'entity: client\nkey: client_id\ntime: date\nlabel: spends\nkind: binary\nmetric: auroc\nwindow: 30d\n',
    'spends',
    'task.yaml',
  );
  const outputs = [{ name: 'spends', objective: { kind: 'binary', metric: 'auroc', classes: [] }, examples }] as const;
  const input = { tables, contract, task, outputs, regime: { kind: 'rolling' }, isPretrained: true } as const;
  await fit({ ...input, ...given(model) }, out, () => {});
  const version = readVersion(out);
  expect(version.encoder!.graphModel).toMatchObject({ id: model.id });
  expect(version.graphModel).toMatchObject({ id: model.id });
  await expect(openVersion(out, tables)).rejects.toThrow(/give its folder/);
  const opened = await openVersion(out, tables, { model });
  const row = sampleRows(contract.tables[0], [{ client_id: 3 }]);
  const options = { asOf: asked, dataUntil: asked, factors: 0, language: 'en' } as const;
  expect(opened.predict(row, options).rows).toBe(1);
  opened.close();
});
