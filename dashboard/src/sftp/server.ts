import type { Schemas } from '@lastro/sdk';

export type SftpServer = Schemas['SftpServer'];

/** How a client connects, ready to be run in a shell. */
export function connectLine({ host, port }: SftpServer, login: string): string {
  return `sftp -P ${port} ${login}@${host}`;
}
