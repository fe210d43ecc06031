/** What is done by SFTP; test support. */
import { vi } from 'vitest';
import { setFeature } from '../../src/resources/organizations/features.ts';
import { connectSftp } from '../sftp/client.ts';
import { type Stage, send } from './stage.ts';

export async function actOnSftp(stage: Stage): Promise<void> {
  const { client, creator, service } = stage;
  await setFeature(service.service.app.db, creator.organization, 'sftp', true);
  const { body: user } = await send(stage, 'POST', '/v1/api/sftp-users', { name: 'acts' });
  const sftp = await connectSftp(service, user);
  await sftp.put('batch/in/acts.txt', 'no rows');
  await vi.waitUntil(async () => (await client.get('/v1/api/sftp-files')).body.data[0]?.status === 'refused', {
    timeout: 60_000,
  });
  await sftp.end();
  await send(stage, 'DELETE', `/v1/api/sftp-users/${user.id}`);
  // The operator switches it on by a command elsewhere.
  await setFeature(service.service.app.db, creator.organization, 'sftp', false);
}
