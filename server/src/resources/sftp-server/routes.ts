import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { isFeatureOn } from '../organizations/features.ts';
import { listHostKeys } from './host-keys.ts';

const example = {
  enabled: true,
  host: 'lastro.example',
  port: 2022,
  host_keys: [
    { fingerprint: 'SHA256:Yt3vH4bqf1gkqJfXl3Bkz0dWm2mS2m4h0o7Qw8nB1cE', used_from: '2026-01-31T12:00:00.000Z' },
  ],
};

const sftpServerSchema = answerOf('SftpServer', example, {
  enabled: Type.Boolean({ description: 'Whether the operator has enabled SFTP for the organization.' }),
  host: Type.String(),
  port: nullable(Type.Integer({ description: 'Null where this installation has no SFTP.' })),
  host_keys: Type.Array(
    Type.Object({
      fingerprint: Type.String({ description: 'As clients show it at the first connection.' }),
      used_from: Type.String(),
    }),
    { description: 'By what the server proves itself: the key of now, and the next one where it is known.' },
  ),
});

export const sftpServerRoutes = (app: App): Route[] => [
  route(
    {
      ...{ method: 'GET', path: '/v1/api/sftp-server', operation: 'sftpServer.get' },
      summary: 'Where SFTP clients connect, and by which key they know the server',
      ...{ access: 'view_batches', answers: { 200: sftpServerSchema } },
    },
    async (ctx) => {
      const isOn = await tenant(app.db, ctx, (tx) => isFeatureOn(tx, ctx.organizationId, 'sftp'));
      const keys = await listHostKeys(app);
      return {
        status: 200,
        body: {
          enabled: isOn && app.sftpPort() !== null,
          host: new URL(app.publicUrl()).hostname,
          port: app.sftpPort(),
          host_keys: keys.map(({ fingerprint, usedFrom }) => ({ fingerprint, used_from: usedFrom.toISOString() })),
        },
      };
    },
  ),
];
