/** Rows of a file of a result over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, Tenant, TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import { fetchBytes, resultOf, runBatch, startShop, type Trained } from '../../../tests/support/samples/batches.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let returns: Trained;

beforeAll(async () => {
  ({ service, tenant, client, returns } = await startShop());
}, 120_000);
afterAll(() => service.close());

test('are those of the file by one of its numbers, page by page, and stand in the trail as one download', async () => {
  const customers = Array.from({ length: 40 }, (_, c) => [`C${c}`]);
  const file = await client.upload('rows.csv', csv('customer_id', customers));
  const asked = { files: [file], model: `${returns.model_id}/production`, reference_date: '2023-09-15' };
  const { id } = await runBatch(client, asked);
  const rows = `/v2/api/batches/${id}/result/rows`;
  const told: Record<string, string>[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await client.get(`${rows}?order_by=prediction&limit=15${cursor}`);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ rows: 40, bands: [] });
    told.push(...body.data);
    if (!body.has_more) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  const events = await client.get('/v1/api/events?type=batch-result-download');
  expect(events.body.data).toHaveLength(1);
  const [header, ...lines] = (await fetchBytes((await resultOf(client, id)).files[0].download_url))
    .toString()
    .trimEnd()
    .split('\n');
  const at = header.split(',').indexOf('prediction');
  expect(header.split(',')).toEqual(Object.keys(told[0]));
  const inFile = lines.map((line) => [line.split(',')[0], line.split(',')[at]] as const);
  const byPrediction = inFile.toSorted(([, one], [, other]) => Number(other) - Number(one));
  expect(told.map((row) => [row.customer_id, row.prediction])).toEqual(byPrediction);

  const last = await client.get(`${rows}?order_by=prediction&order=ascending&limit=1`);
  expect(last.body.data[0].prediction).toBe(byPrediction.at(-1)![1]);
  const codes = ['?order_by=points', '?risk_band=High%20Risk', `?cursor=${last.body.next_cursor}`].map(
    async (query) => (await client.get(rows + query)).body.code,
  );
  expect(await Promise.all(codes)).toEqual(['invalid_parameter', 'invalid_parameter', 'invalid_cursor']);
  expect((await client.get(`${rows}?file_id=${file}&limit=1`)).body.data).toEqual([
    told.find(({ customer_id: key }) => key === 'C0'),
  ]);
  expect((await client.get(`${rows}?file_id=file_none`)).status).toBe(404);
  expect((await (await tenant.as('analyst')).get(rows)).status).toBe(403);
  await client.send('DELETE', `/v2/api/batches/${id}/result`);
  expect((await client.get(rows)).body.code).toBe('result_deleted');
});
