/** The transport by SFTP: files are put in and become batches, whose results and stories are got back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { learnShop, type Trained } from '../support/samples/batches.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { connectSftp, makeSftpUser, type Sftp, type SftpUser } from './client.ts';

let service: TestService;
let tenant: Tenant;
let returns: Trained;
let user: Awaited<ReturnType<typeof makeSftpUser>>;
let sftp: Sftp;

beforeAll(async () => {
  service = await startTestService({ sftpPort: 0 });
  tenant = await service.tenant('Shop');
  ({ returns } = await learnShop(tenant.client));
  user = await makeSftpUser(service, tenant);
  sftp = await connectSftp(service, user);
}, 180_000);
afterAll(async () => {
  await sftp?.end();
  await service.close();
});

const header = 'endpoint,customer_id,correlation_id,reference_id';
const rowsOf = (from: number, to: number, more = '') =>
  `${header}\n${Array.from({ length: to - from }, (_, at) => `${returns.model_id}/production,C${from + at},row ${from + at},`).join('\n')}\n${more}`;

test('a file that is put in becomes a batch, and its result appears whole under its name', async () => {
  expect(await sftp.list('.')).toEqual(['batch']);
  expect(await sftp.list('batch')).toEqual(['in', 'out', 'logs', 'samples']);
  await sftp.put('batch/in/portfolio.csv', rowsOf(0, 40));
  const result = (await sftp.appears('batch/out/portfolio.result.csv')).toString().trimEnd().split('\n');
  expect(result).toHaveLength(41);
  expect(result[0]).toContain('correlation_id');
  expect(result[1]).toContain('row 0');
  const log = (await sftp.get('batch/logs/portfolio.csv.log')).toString();
  const { body } = await tenant.client.get('/v1/api/sftp-files');
  const [file] = body.data;
  expect(file).toMatchObject({ name: 'portfolio.csv', status: 'accepted', sftp_user_id: user.id, problems: [] });
  expect(log).toContain(`accepted as batch ${file.batch_id}`);
  expect(log).toContain('succeeded: 40 of 40 rows scored, in batch/out/portfolio.result.csv');
  const batch = await tenant.client.get(`/v2/api/batches/${file.batch_id}`);
  expect(batch.body).toMatchObject({ status: 'succeeded', metadata: { sftp_file: 'portfolio.csv' } });
});
