/** A client of SFTP of a workspace that has the shop and its models; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setQuota } from '../../src/resources/quotas/set.ts';
import { checkSftpFile } from '../../src/resources/sftp-files/check.ts';
import type { Tenant, TestService } from '../service.ts';
import { startShop, type Trained } from '../support/samples/batches.ts';
import { connectSftp, makeSftpUser, type Sftp } from './client.ts';

export const header = 'endpoint,customer_id,correlation_id,reference_id';

export type SftpShop = {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly returns: Trained;
  /** Of orders, as new rows. */
  readonly late: Trained;
  readonly user: Awaited<ReturnType<typeof makeSftpUser>>;
  readonly sftp: Sftp;
  /** A file of rows of customers by number, the last one left out. */
  rowsOf(from: number, to: number, more?: string): string;
  /** What a log says of a file, once it says whether it is taken. */
  refusalOf(name: string): Promise<string>;
  /** What the API says of the files that came under a name, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  filesNamed(name: string): Promise<any[]>;
  batchesOf(name: string): Promise<number>;
  /** Does something while no file can become a batch, and then has each one that waits looked at. */
  beforeAnyLook(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export async function startSftpShop(): Promise<SftpShop> {
  const { service, tenant, returns, late } = await startShop({ sftpPort: 0 });
  const user = await makeSftpUser(service, tenant);
  const sftp = await connectSftp(service, user);
  const files = async () => (await tenant.client.get('/v1/api/sftp-files?limit=200')).body.data;
  return {
    ...{ service, tenant, returns, late, user, sftp },
    rowsOf(from, to, more = '') {
      const rows = Array.from({ length: to - from }, (_, at) => from + at);
      const lines = rows.map((of, at) => `${returns.model_id}/production,C${of},row ${at},`);
      return `${header}\n${lines.join('\n')}\n${more}`;
    },
    async refusalOf(name) {
      for (;;) {
        const log = (await sftp.appears(`batch/logs/${name}.log`)).toString();
        if (/refused|accepted/.test(log)) return log;
        await sleep(50);
      }
    },
    filesNamed: async (name) => (await files()).filter((file: { name: string }) => file.name === name),
    async batchesOf(name) {
      const { body } = await tenant.client.get('/v2/api/batches?limit=200');
      return body.data.filter(({ metadata }: { metadata: { sftp_file?: string } }) => metadata.sftp_file === name)
        .length;
    },
    async beforeAnyLook(work) {
      const { app } = service.service;
      const quota = { ...tenant.ctx, resource: 'open_batches' } as const;
      await setQuota(app.db, { ...quota, limit: 0 });
      await work();
      await setQuota(app.db, { ...quota, limit: null });
      for (const { id, status } of await files())
        if (status === 'received')
          await checkSftpFile(app, { id, workspace_id: tenant.ctx.workspaceId }, AbortSignal.timeout(60_000));
    },
    async close() {
      await sftp.end();
      await service.close();
    },
  };
}
