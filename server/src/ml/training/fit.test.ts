import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { fit } from './fit.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-fit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what all rows of a moment have in common counts once in the error of a measure', async () => {
  const [clients, moments] = [40, 40];
  const contract = sampleContract([
    { name: 'client', key: 'client_id', columns: { client_id: 'integer', size: 'number' } },
  ]);
  const draw = draws(6);
  const client = Array.from({ length: clients }, (_, client_id) => ({ client_id, size: draw.next() }));
  const shocks = Array.from({ length: moments }, () => draw.next());
  const asked = Array.from({ length: clients * moments }, (_, i) => i);
  const examples = {
    rows: Int32Array.from(asked, (i) => i % clients),
    at: Float64Array.from(asked, (i) => at('2020-01-01') + Math.floor(i / clients) * 30 * day),
    labels: Float64Array.from(asked, (i) => shocks[Math.floor(i / clients)]! + 0.01 * draw.next()),
    closes: new Float64Array(asked.length).fill(Number.POSITIVE_INFINITY),
  };
  const task = parseTask('entity: client\nkey: client_id\nlabel: paid\nkind: regression\n', 'pays', 'task.yaml');
  const outputs = [{ name: 'prediction', aim: { kind: 'regression', metric: 'mae', classes: [] }, examples }] as const;
  const input = { tables: sampleTables(contract, { client }), contract, task, outputs };
  const report = await fit({ ...input, regime: { kind: 'rolling' } }, join(folder, 'version'), () => {});
  const { rows, standard_error } = report.outputs[0]!.out_of_fold!;
  // Errors of a moment are all alike, and lie evenly between 0 and about a half: .14 by their number's root.
  expect(standard_error / (0.14 / Math.sqrt(rows / clients))).toBeGreaterThan(0.5);
  expect(standard_error / (0.14 / Math.sqrt(rows / clients))).toBeLessThan(2);
});
