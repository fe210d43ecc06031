/** Jobs with `{id, workspace_id}`, which look at a file that was put in, and make a batch of it. */
export const sftpFileQueue = 'sftp-files';

export type SftpFileJob = { readonly id: string; readonly workspace_id: string };
