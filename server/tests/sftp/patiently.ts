/** A client of SFTP whose server dies, freezes and is cut off: it connects until it is answered; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectSftp, type Sftp, type SftpUser } from './client.ts';

/** SFTP's client, which has no patience of its own, takes a line that is silent for so long to be dead. */
const silenceMs = 20_000;
const pauseMs = 200;

/** Does something over SFTP, with a new line where the old one broke or fell silent, until it is acknowledged. */
export async function patiently<T>(
  { sftpPort }: { readonly sftpPort: number },
  user: SftpUser,
  act: (sftp: Sftp) => Promise<T>,
): Promise<T> {
  for (;;) {
    let sftp: Sftp | undefined;
    try {
      const acting = connectSftp({ service: { sftpPort } }, user, { readyTimeout: silenceMs }).then((opened) => {
        sftp = opened;
        return Promise.race([act(opened), opened.closed.then(() => Promise.reject(new Error('the line broke')))]);
      });
      acting.catch(() => {});
      return await Promise.race([
        acting,
        sleep(silenceMs).then((): never => {
          throw new Error('nothing was heard');
        }),
      ]);
    } catch {
      await sleep(pauseMs);
    } finally {
      sftp?.drop().catch(() => {});
    }
  }
}
