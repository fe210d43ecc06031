import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { readVersion } from '../version/version.ts';
import { fit } from './fit.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-fit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [clients, moments] = [40, 40];
const contract = sampleContract([
  { name: 'client', key: 'client_id', columns: { client_id: 'integer', size: 'number' } },
]);
const draw = draws(6);
const client = Array.from({ length: clients }, (_, client_id) => ({ client_id, size: draw.next() }));
const asked = Array.from({ length: clients * moments }, (_, i) => i);
const month = 30 * day;
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/**
 * Fits labels of each client at each moment, which become known `after` that many moments, and returns the measures.
 */
async function fitLabels(
  name: string,
  kind: 'regression' | 'binary',
  metric: 'mae' | 'auroc',
  labelOf: (i: number) => number,
  after: number,
) {
  const moment = Float64Array.from(asked, (i) => at('2020-01-01') + Math.floor(i / clients) * month);
  const examples = {
    rows: Int32Array.from(asked, (i) => i % clients),
    at: moment,
    labels: Float64Array.from(asked, labelOf),
    closes: moment.map((each) => each + after * month),
  };
  const task = parseTask(`entity: client\nkey: client_id\nlabel: paid\nkind: ${kind}\n`, name, 'task.yaml');
  const outputs = [{ name: 'prediction', objective: { kind, metric, classes: [] }, examples }] as const;
  const input = { tables: sampleTables(contract, { client }), contract, task, outputs };
  const report = await fit({ ...input, regime: { kind: 'rolling' } }, join(folder, name), () => {});
  return report.outputs[0].out_of_fold!;
}

test('what all rows of a moment have in common counts once in the error of a measure', async () => {
  const shocks = Array.from({ length: moments }, () => draw.next());
  const labelOf = (i: number) => shocks[Math.floor(i / clients)] + 0.01 * draw.next();
  const { rows, standard_error } = await fitLabels('pays', 'regression', 'mae', labelOf, Number.POSITIVE_INFINITY);
  // Errors of one moment are all alike, and uniform between 0 and about a half: the standard error is .14 divided by
  // the root of the number of moments.
  expect(standard_error / (0.14 / Math.sqrt(rows / clients))).toBeGreaterThan(0.5);
  expect(standard_error / (0.14 / Math.sqrt(rows / clients))).toBeLessThan(2);
});

test('nothing is said of how right probabilities are by rows that their calibrator has seen', async () => {
  const labelOf = (i: number) => Number(draw.next() < client[i % clients].size);
  // Labels come so late that no fold's labels are known before the last fold begins.
  const late = await fitLabels('late', 'binary', 'auroc', labelOf, 20);
  expect(late.rows).toBeGreaterThan(100);
  expect([late.reliability, late.calibration, late.sureness]).toEqual([undefined, undefined, undefined]);
  const soon = await fitLabels('soon', 'binary', 'auroc', labelOf, 1);
  expect([soon.reliability!.bins.length, soon.calibration!.bins]).toEqual([10, 10]);
});

test('a version says how many days of rows it learned from, so that no reason speaks of more', async () => {
  await fitLabels('told', 'binary', 'auroc', (i) => Number(draw.next() < client[i % clients].size), 1);
  const { reasons, history } = readVersion(join(folder, 'told'));
  // The first outcome is known a month after it was asked about.
  expect({ reasons, history }).toEqual({ reasons: 4, history: { '@labels': (moments - 2) * 30 } });
});

test('columns of new rows that rows to predict would mean otherwise are no inputs, and keys of such names are refused', async () => {
  const orders = sampleContract([
    {
      name: 'order',
      key: 'order_id',
      time: 'placed',
      columns: {
        ...{ order_id: 'integer', placed: 'timestamp', amount: 'number' },
        ...{ reference_date: 'date', correlation_id: 'string', endpoint: 'number' },
      },
    },
  ]);
  const order = Array.from({ length: 400 }, (_, order_id) => {
    const [placed, amount] = [at('2020-01-01') + order_id * day, draw.next()];
    const told = { reference_date: placed - Math.round(amount * 30) * day, correlation_id: `c${order_id % 5}` };
    return { ...{ order_id, placed, amount, endpoint: amount }, ...told };
  });
  const moment = Float64Array.from(order, ({ placed }) => placed);
  const labels = Float64Array.from(order, ({ amount }) => Number(draw.next() < amount));
  const examples = {
    rows: Int32Array.from(order.keys()),
    at: moment,
    labels,
    closes: moment.map((each) => each + day),
  };
  const task = parseTask('entity: order\nkey: order_id\nlabel: paid\nkind: binary\n', 'order', 'task.yaml');
  const outputs = [
    { name: 'prediction', objective: { kind: 'binary', metric: 'auroc', classes: [] }, examples },
  ] as const;
  const tables = sampleTables(orders, { order });
  const input = { tables, contract: orders, task, outputs, regime: { kind: 'rolling' } } as const;
  const { notes } = await fit(input, join(folder, 'order'), () => {});
  const { inputFields } = readVersion(join(folder, 'order'));
  expect(inputFields.map(({ name }) => name).sort()).toEqual(['amount', 'order_id', 'placed', 'reference_date']);
  for (const name of ['reference_date', 'correlation_id', 'endpoint'])
    expect(notes).toContainEqual(expect.stringContaining(`order.${name} is not read`));
  const named = { ...orders, tables: [{ ...orders.tables[0], time: { column: 'reference_date' } }] };
  await expect(fit({ ...input, contract: named }, join(folder, 'named'), () => {})).rejects.toThrow(
    'order.reference_date: rows to predict say something else',
  );
});

/** Visits of shops that keep their size, in towns: histories, texts, numbers filled in later, and earlier labels. */
function makeVisits() {
  const visits = sampleContract([
    { name: 'town', key: 'town_id', columns: { town_id: 'string', land: 'string' } },
    {
      name: 'shop',
      key: 'shop_id',
      columns: { shop_id: 'string', town_id: 'string' },
      references: { town_id: 'town' },
    },
    {
      name: 'visit',
      key: 'visit_id',
      time: 'seen',
      columns: { visit_id: 'string', shop_id: 'string', seen: 'timestamp', spent: 'number', kind: 'string' },
      references: { shop_id: 'shop' },
    },
  ]);
  const town = Array.from({ length: 5 }, (_, t) => ({ town_id: `t${t}`, land: t < 2 ? 'north' : 'south' }));
  const shop = Array.from({ length: 80 }, (_, s) => ({ shop_id: `s${s}`, town_id: `t${s % 5}` }));
  const visit = Array.from({ length: 1_500 }, (_, v) => {
    const spent = draw.next() < 0.1 ? null : Math.round(100 * draw.next() * (1 + ((v * 7) % 80)));
    const kind = ['first', 'again', 'last'][Math.floor(3 * draw.next())];
    return { visit_id: `v${v}`, shop_id: `s${(v * 7) % 80}`, seen: at('2020-01-01') + v * (day / 2), spent, kind };
  });
  const tables = sampleTables(visits, { town, shop, visit });
  const rows = Int32Array.from({ length: 80 * 20 }, (_, i) => i % 80);
  const moment = Float64Array.from(rows, (_, i) => at('2020-02-01') + Math.floor(i / 80) * month);
  const examples = {
    rows,
    at: moment,
    labels: Float64Array.from(rows, (row) => Number(draw.next() * 80 < row)),
    closes: moment.map((each) => each + month),
  };
  const task = parseTask('entity: shop\nkey: shop_id\nlabel: returns\nkind: binary\n', 'returns', 'task.yaml');
  const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
  const outputs = [{ name: 'prediction', objective, examples }] as const;
  return { tables, contract: visits, task, outputs, regime: { kind: 'rolling' } } as const;
}

test('the bytes of a version do not depend on how many threads learned it', async () => {
  const input = makeVisits();
  const bytesOf = async (threads: number) => {
    const out = join(folder, `threads-${threads}`);
    await fit({ ...input, threads }, out, () => {});
    return readdirSync(out, { recursive: true, encoding: 'utf8' })
      .sort()
      .flatMap((name) => (statSync(join(out, name)).isFile() ? [`${name} ${hashOf(join(out, name))}`] : []));
  };
  const alone = await bytesOf(1);
  expect(alone.length).toBeGreaterThan(5);
  expect(await bytesOf(3)).toEqual(alone);
});

test('labels that are all of one class are refused by its name', async () => {
  const examples = {
    rows: Int32Array.from(asked, (i) => i % clients),
    at: new Float64Array(asked.length).fill(at('2020-01-01')),
    labels: new Float64Array(asked.length).fill(1),
    closes: new Float64Array(asked.length).fill(at('2020-02-01')),
  };
  const task = parseTask('entity: client\nkey: client_id\nlabel: next\nkind: multiclass\n', 'next', 'task.yaml');
  const objective = { kind: 'multiclass', metric: 'multiclass_accuracy', classes: ['paid', 'late'] } as const;
  const input = { tables: sampleTables(contract, { client }), contract, task, regime: { kind: 'rolling' } } as const;
  const outputs = [{ name: 'prediction', objective, examples }] as const;
  await expect(fit({ ...input, outputs }, join(folder, 'next'), () => {})).rejects.toThrow(
    'all 1600 labels of prediction are late',
  );
});
