import { listRoute } from '../../api/read-routes.ts';
import type { Route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { presentSftpFile, sftpFileSchema } from './sftp-file.ts';
import { selectPage } from './sql.ts';

export const sftpFileRoutes = (app: App): Route[] => [
  listRoute(app, {
    ...{ path: '/v1/api/sftp-files', list: 'sftp-files', operation: 'sftpFiles.list' },
    summary: 'Files that were put in by SFTP, newest first, and what became of them',
    ...{ access: 'view_batches', scope: 'workspace', schema: sftpFileSchema, present: presentSftpFile },
    selectPage: (tx, _, before, most) => selectPage(tx, before, most),
  }),
];
