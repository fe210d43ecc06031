/** Results of batches: their formats, their downloads, their rows by page, and their end. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Tenant, TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import {
  errorsOf,
  fetchBytes,
  keysOf,
  resultOf,
  runBatch,
  startShop,
  type Trained,
} from '../../../tests/support/samples/batches.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { openDuckDb, quoteText } from '../../lib/duckdb/duckdb.ts';
import { sweep } from '../maintenance/sweep.ts';
import { expireBatches } from './expire.ts';
import { batchFolder } from './storage-key.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let returns: Trained;

beforeAll(async () => {
  ({ service, tenant, client, returns } = await startShop());
});
afterAll(() => service.close());

const customers = Array.from({ length: 40 }, (_, c) => `C${c}`);
const production = () => `${returns.model_id}/production`;

describe('results', () => {
  test('are in the language asked for, which the batch says', async () => {
    const rows = csv('customer_id', [['C1'], ['C2']]);
    const files = [await client.upload('in/language.csv', rows)];
    const asked = { files, model: production(), reference_date: '2023-09-15' };
    const [usual, portuguese] = [
      await runBatch(client, asked),
      await runBatch(client, { ...asked, language: 'pt-BR' }),
    ];
    expect([usual.batch.language, portuguese.batch.language]).toEqual(['en', 'pt-BR']);
    const textOf = async (id: string) => (await fetchBytes((await resultOf(client, id)).download_url)).toString();
    expect(await textOf(usual.id)).toMatch(/raises|lowers/);
    expect(await textOf(portuguese.id)).toMatch(/aumenta|diminui|reduz|eleva/);
  });

  test('say the same in every format, and come as one archive where there are several', async () => {
    const parquet = join(service.folder, 'rows.parquet');
    const names = customers.map((id) => `('${id}')`).join(', ');
    const duckdb = await openDuckDb({ folders: [service.folder] });
    await duckdb.run(`copy (select * from (values ${names}) t(customer_id)) to ${quoteText(parquet)} (format parquet)`);
    const files = [
      await client.upload(
        'in/rows.csv',
        csv(
          'customer_id',
          customers.map((id) => [id]),
        ),
      ),
      await client.upload('in/rows.parquet', readFileSync(parquet)),
      await client.upload(
        '../rows.csv',
        csv(
          'CUSTOMER_ID,note',
          customers.map((id) => [id, 'x']),
        ),
      ),
    ];
    const { id, batch } = await runBatch(client, { files, model: production(), reference_date: '2023-09-15' });
    expect(batch).toMatchObject({ status: 'succeeded', progress: { rows: { total: 120, succeeded: 120 } } });
    expect(batch.files.map((file: { output_path: string }) => file.output_path)).toEqual([
      'in/rows.csv',
      'in/rows.parquet',
      'rows.csv',
    ]);
    expect(batch.warnings).toMatchObject([
      { code: 'unknown_columns', file_id: files[2], path: '../rows.csv', values: { columns: ['note'] } },
    ]);
    const result = await resultOf(client, id);
    const archive = join(service.folder, 'result.zip');
    writeFileSync(archive, await fetchBytes(result.download_url));
    execFileSync('unzip', ['-q', '-o', archive, '-d', join(service.folder, 'result')]);
    for (const { path, sha256, bytes, download_url, rows } of result.files) {
      expect(rows).toBe(40);
      const unpacked = readFileSync(join(service.folder, 'result', path));
      expect(unpacked.equals(await fetchBytes(download_url))).toBe(true);
      expect(unpacked.length).toBe(bytes);
      expect(createHash('sha256').update(unpacked).digest('hex')).toBe(sha256);
    }
    const [asCsv, asParquet] = ['csv', 'parquet'].map((ending) => {
      const path = quoteText(join(service.folder, 'result', 'in', `rows.${ending}`));
      return ending === 'csv' ? `read_csv(${path}, all_varchar = true)` : `read_parquet(${path})`;
    });
    const texts = 'customer_id, prediction::double, key_factors, data_coverage, as_of::timestamptz, version_id';
    const [{ n }] = await duckdb.rows(
      `select count(*)::double as n from (select ${texts} from ${asCsv} intersect select ${texts} from ${asParquet})`,
    );
    duckdb.close();
    expect(n).toBe(40);
  });

  test('in CSV hold nothing that a spreadsheet runs, unless they are asked for raw', async () => {
    const said = ['=1+1', '@SUM(A1)', '-5', 'plain'];
    const lines = said.map((text, i) => [`C${i}`, text]);
    const file = await client.upload('formulas.csv', csv('customer_id,correlation_id', lines));
    const saidIn = async (asked: object) => {
      const { id, batch } = await runBatch(client, { files: [file], model: production(), ...asked });
      const bytes = await fetchBytes((await resultOf(client, id)).files[0].download_url);
      const [header, ...rows] = bytes.toString().trimEnd().split('\n');
      const column = header.split(',').indexOf('correlation_id');
      return [batch.csv_formulas, ...rows.map((row) => row.split(',')[column])];
    };
    expect(await saidIn({})).toEqual(['escape', "'=1+1", "'@SUM(A1)", '-5', 'plain']);
    expect(await saidIn({ csv_formulas: 'raw' })).toEqual(['raw', ...said]);
    const refused = await client.post('/v2/api/batches', { files: [file], csv_formulas: 'odd' });
    expect([refused.status, refused.body.code]).toEqual([422, 'schema_mismatch']);
  });

  test('in CSV are as Excel opens them in Portuguese where that is asked for', async () => {
    const file = await client.upload(
      'excel.csv',
      csv(
        'customer_id,correlation_id',
        customers.map((id) => [id, '1.5']),
      ),
    );
    const of = async (csv_dialect?: string) => {
      const asked = { files: [file], model: production(), reference_date: '2023-09-15' };
      const { id, batch } = await runBatch(client, { ...asked, ...(csv_dialect && { csv_dialect }) });
      const text = (await fetchBytes((await resultOf(client, id)).files[0].download_url)).toString();
      return { text, told: batch.csv_dialect };
    };
    const [plain, excel] = [await of(), await of('excel_semicolon')];
    expect([plain.told, excel.told]).toEqual(['standard', 'excel_semicolon']);
    const [header] = excel.text.split('\n');
    expect(header).toMatch(/^\ufeffcustomer_id;correlation_id;/);
    const paths = [join(service.folder, 'plain.csv'), join(service.folder, 'excel.csv')];
    for (const [at, { text }] of [plain, excel].entries()) writeFileSync(paths[at], text);
    const duckdb = await openDuckDb({ folders: [service.folder] });
    const rows = (path: string, options: string) =>
      duckdb.rows(
        `select customer_id, correlation_id::varchar as ref, prediction::double as p, version_id from read_csv(${quoteText(path)}, header = true, types = {'correlation_id': 'VARCHAR'}, ${options})`,
      );
    const read = await rows(paths[1], "delim = ';', decimal_separator = ','");
    expect(read).toEqual(await rows(paths[0], "delim = ','"));
    duckdb.close();
    expect(read).toHaveLength(40);
    expect(read[0]).toMatchObject({ customer_id: 'C0', ref: '1.5', p: expect.any(Number) });
  });

  test('do not repeat a long text for every row of a small file', async () => {
    const path = join(service.folder, 'echoes.parquet');
    const duckdb = await openDuckDb({ folders: [service.folder] });
    await duckdb.run(
      `copy (select 'C1' as customer_id, case when i > 0 then t else 'short' end as correlation_id from range(300) r(i), (select repeat('x', 1000000) t)) to ${quoteText(path)} (format parquet, compression zstd)`,
    );
    duckdb.close();
    const file = await client.upload('echoes.parquet', readFileSync(path));
    const { id, batch } = await runBatch(client, { files: [file], model: production() });
    expect(batch.progress.rows).toMatchObject({ total: 300, succeeded: 1, failed: 299 });
    expect((await resultOf(client, id)).files[0].bytes).toBeLessThan(20_000);
    const [error] = await errorsOf(client, id);
    expect(error).toMatchObject({ row: 2, column: 'correlation_id', code: 'invalid_input' });
    expect(error.message).toContain('longer than 1,000 characters');
  });

  test('of a large file are made of the parts of its units', async () => {
    const rows = 410_000;
    const path = join(service.folder, 'large.parquet');
    const duckdb = await openDuckDb({ folders: [service.folder] });
    // Nearly all rows lack a required input, which is fast to report.
    const values = `case when i % 1000 = 999 then 'C' || (i % 45) end as customer_id, i::varchar as reference_id`;
    await duckdb.run(
      `copy (select ${values} from range(${rows}) t(i)) to ${quoteText(path)} (format parquet, row_group_size 122880)`,
    );
    const files = [await client.upload('large.parquet', readFileSync(path))];
    for (const output_format of ['parquet', 'csv'] as const) {
      const { id, batch } = await runBatch(client, { files, model: production(), output_format });
      expect(batch).toMatchObject({
        status: 'succeeded',
        progress: { rows: { total: rows, processed: rows, succeeded: rows / 1000 }, fraction: 1 },
        // 1000 k + 999 leaves 44 by 45 for every ninth k from 8 on, and there is no C44.
        warnings: [
          { code: 'large_row_groups' },
          { message: expect.stringContaining(': 45 of 410 answered rows ') },
          { code: 'stale_data', message: expect.stringContaining(': 410 of 410 answered rows ') },
        ],
      });
      const units = await service.owner.pool.query('select from batch_units where batch_id = $1', [id]);
      expect(units.rowCount).toBe(2);
      const out = join(service.folder, `large-result.${output_format}`);
      writeFileSync(out, await fetchBytes((await resultOf(client, id)).download_url));
      const read = output_format === 'csv' ? 'read_csv' : 'read_parquet';
      const found = await duckdb.rows(`select reference_id::integer as id from ${read}(${quoteText(out)})`);
      expect(found).toEqual(Array.from({ length: rows / 1000 }, (_, at) => ({ id: 1000 * at + 999 })));
      // The parts of the result are removed once it is assembled.
      const left = ['parts/0-0-1.errors', 'parts/0-1-1.errors', 'results/0'];
      await expect.poll(() => keysOf(service, tenant, id), { timeout: 120_000 }).toEqual(left);
    }
    duckdb.close();
  });

  test('are fetched in pieces by whoever has the address, and leave one trail each', async () => {
    const file = await client.upload('one.csv', csv('customer_id', [['C1']]));
    const { id } = await runBatch(client, { files: [file], model: production() });
    const { download_url, expires_at, files } = await resultOf(client, id);
    expect(files[0].download_url).toBe(download_url);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60 * 1000);
    const whole = await fetchBytes(download_url);
    const piece = await fetch(download_url, { headers: { range: 'bytes=10-19' } });
    expect(piece.status).toBe(206);
    expect(Buffer.from(await piece.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true);
    expect(piece.headers.get('etag')).toBe(`"${files[0].sha256}"`);
    expect((await service.anonymous.get(download_url.replace('files/0', 'files/1'))).status).toBe(403);
    expect(await trail(id)).toEqual([
      'batch-request',
      'batch-lifecycle queued',
      'batch-lifecycle running',
      'batch-lifecycle succeeded',
      'batch-result-download',
    ]);
  });

  test('rows of a file are those of it by one of its numbers, page by page, and stand in the trail as one download', async () => {
    const file = await client.upload(
      'rows.csv',
      csv(
        'customer_id',
        customers.map((id) => [id]),
      ),
    );
    const asked = { files: [file], model: production(), reference_date: '2023-09-15' };
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
    const ofBatch = events.body.data.filter(({ resource_id: of }: { resource_id: string }) => of === id);
    expect(ofBatch).toHaveLength(1);
    const [header, ...lines] = (await fetchBytes((await resultOf(client, id)).files[0].download_url))
      .toString()
      .trimEnd()
      .split('\n');
    const at = header.split(',').indexOf('prediction');
    expect(header.split(',')).toEqual(Object.keys(told[0]));
    const inFile = lines.map((line) => [line.split(',')[0], line.split(',')[at]] as const);
    const byPrediction = inFile.toSorted(([, one], [, other]) => Number(other) - Number(one));
    expect(told.map((row) => [row.customer_id, row.prediction])).toEqual(byPrediction);

    expect((await client.get(`${rows}?known=true&limit=1`)).body.rows).toBe(40);
    expect((await client.get(`${rows}?known=false&limit=1`)).body).toMatchObject({ rows: 0, data: [] });
    expect((await client.get(`${rows}?known=perhaps`)).status).toBe(400);
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

  test('are gone once deleted', async () => {
    const file = await client.upload('gone.csv', csv('customer_id', [['C1']]));
    const { id } = await runBatch(client, { files: [file], model: production() });
    const { download_url } = await resultOf(client, id);
    const deleted = await client.send('DELETE', `/v2/api/batches/${id}/result`);
    expect(deleted.status, deleted.text).toBe(200);
    expect(deleted.body.result_deleted_at).not.toBeNull();
    for (const path of [`/v2/api/batches/${id}/result`, `/v2/api/batches/${id}/errors`, download_url]) {
      const reply = await client.get(path);
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status: 410, code: 'result_deleted' });
    }
    expect(await keysOf(service, tenant, id)).toEqual([]);
    expect((await trail(id)).at(-1)).toBe('batch-result-deletion');
  });
});

/** Returns the audit entries of a batch. */
async function trail(id: string): Promise<string[]> {
  const { rows } = await service.owner.pool.query(
    'select action, data from audit_entries where target_id = $1 order by recorded_at, id',
    [id],
  );
  return rows.map(({ action, data }) => (data.status ? `${action} ${data.status}` : action));
}

describe('batches that ended before they are kept', () => {
  const expiring = () => ({ ...service.service.app, retentionDays: { batches: 60, events: 0, predictions: 0 } });
  const age = (ids: readonly string[]) =>
    service.owner.pool.query(`update batches set finished_at = now() - interval '62 days' where id = any ($1)`, [ids]);
  const scored = async () => {
    const files = [await client.upload('expiring.csv', csv('customer_id', [['C1'], ['']]))];
    return (await runBatch(client, { files, model: production(), reference_date: '2023-09-15' })).id;
  };
  const stored = async (id: string) => {
    const keys = [];
    for await (const { key } of service.service.app.storage.list(batchFolder(tenant.ctx, id))) keys.push(key);
    return keys.length;
  };
  const statusOf = async (id: string) => (await client.get(`/v2/api/batches/${id}`)).status;

  test('go with their results, some at a time, and no others', async () => {
    const [first, second, young] = [await scored(), await scored(), await scored()];
    const { file_id } = (await client.get(`/v2/api/batches/${first}`)).body.files[0];
    await age([first, second]);
    expect(await stored(first)).toBeGreaterThan(0);
    expect(await expireBatches(expiring(), AbortSignal.abort())).toBe(0);
    // Whose objects were not removed, as by a process that was killed, loses them to the sweep.
    const away = { ...service.service.app.storage, deletePrefix: () => Promise.reject(new Error('away')) };
    expect(await expireBatches({ ...expiring(), storage: away }, undefined, 1)).toBe(0);
    const [gone, left] = (await statusOf(first)) === 404 ? [first, second] : [second, first];
    expect([await statusOf(gone), await statusOf(left)]).toEqual([404, 200]);
    expect(await stored(gone)).toBeGreaterThan(0);
    await sweep(service.service.app, -1000);
    expect(await expireBatches(expiring(), undefined, 1)).toBe(1);
    expect(await expireBatches(expiring())).toBe(0);
    expect([await stored(gone), await stored(left)]).toEqual([0, 0]);

    expect([await statusOf(left), await statusOf(young)]).toEqual([404, 200]);
    expect((await client.get(`/v2/api/batches/${left}/result`)).status).toBe(404);
    expect((await resultOf(client, young)).files).toHaveLength(1);
    expect((await client.get(`/v2/api/files/${file_id}`)).body.status).toBe('uploaded');
    const { rows } = await service.owner.pool.query(
      `select target_id from audit_entries where action = 'batch-expiry' and workspace_id = $1 order by recorded_at`,
      [tenant.ctx.workspaceId],
    );
    expect(rows.map(({ target_id }) => target_id)).toEqual([gone, left]);
  });

  test('stay while another corrects them, SFTP shows their file, or an erasure looks through them', async () => {
    const [corrected, correction, shown] = [await scored(), await scored(), await scored()];
    const { pool } = service.owner;
    await pool.query('update batches set corrects = $1 where id = $2', [corrected, correction]);
    const login = newId('sftp');
    const of = [tenant.ctx.organizationId, tenant.ctx.workspaceId];
    await pool.query(
      `insert into sftp_users (id, organization_id, workspace_id, user_id, name, login, public_keys)
        values ($1, $3, $4, $2, 'files', $1, '{key}')`,
      [login, tenant.userId, ...of],
    );
    await pool.query(
      `insert into sftp_files (id, organization_id, workspace_id, sftp_user_id, name, status, bytes, batch_id, settled_at)
        values ($1, $4, $5, $2, 'a.csv', 'accepted', 0, $3, now())`,
      [newId('sfl'), login, shown, ...of],
    );
    await age([corrected, shown]);
    expect(await expireBatches(expiring())).toBe(0);
    await age([correction]);
    await pool.query(
      `insert into erasures (id, organization_id, workspace_id, status, created_by) values ($1, $2, $3, 'queued', '')`,
      ['ers_1', ...of],
    );
    expect(await expireBatches(expiring())).toBe(0);
    await pool.query(`delete from erasures where id = 'ers_1'`);
    expect(await expireBatches(expiring())).toBe(2);
    expect([await statusOf(corrected), await statusOf(correction), await statusOf(shown)]).toEqual([404, 404, 200]);
    await pool.query('update sftp_files set removed_at = now() where batch_id = $1', [shown]);
    expect(await expireBatches(expiring())).toBe(1);
  });
});
