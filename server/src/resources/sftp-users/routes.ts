import { Type } from 'typebox';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { priorityMax } from '../batches/batch.ts';
import { createSftpUser } from './create.ts';
import { deleteSftpUser } from './delete.ts';
import { newSftpUserSchema, presentSftpUser, publicKeyLengthMax, publicKeysMax, sftpUserSchema } from './sftp-user.ts';
import { selectUserPage } from './sql.ts';

const path = '/v1/api/sftp-users';
// Whatever they put in is a file of the workspace, and who may send files is a Creator.
const byPerson = { access: 'upload_files', channels: ['dashboard'] } as const;

export const sftpUserRoutes = (app: App): Route[] => [
  listRoute(app, {
    ...{ path, list: 'sftp-users', operation: 'sftpUsers.list', summary: 'SFTP users of the workspace, newest first' },
    ...{ access: 'upload_files', scope: 'workspace', schema: sftpUserSchema, present: presentSftpUser },
    selectPage: (tx, _, before, most) => selectUserPage(tx, before, most),
  }),
  route(
    {
      ...{ method: 'POST', path, operation: 'sftpUsers.create', summary: 'Make an SFTP user' },
      description:
        'It puts files into batch/in and gets results from batch/out of this workspace, with your role as that is at each request. Its password is in this answer and in no other.',
      ...byPerson,
      fresh: true,
      body: Type.Object(
        {
          name: shortText(),
          public_keys: Type.Optional(
            Type.Array(
              Type.String({ maxLength: publicKeyLengthMax, description: 'A line of authorized_keys or a .pub file.' }),
              { maxItems: publicKeysMax, description: 'Keys that let it in.' },
            ),
          ),
          password: Type.Optional(
            Type.Boolean({ description: 'Whether it gets a password; by default where it has no keys.' }),
          ),
          priority: Type.Optional(
            Type.Integer({
              minimum: -priorityMax,
              maximum: priorityMax,
              description: 'Of the batches that are made of its files: higher goes first; 0 by default.',
            }),
          ),
        },
        { title: 'SftpUserRequest', additionalProperties: false, examples: [{ name: 'nightly scoring' }] },
      ),
      answers: { 201: newSftpUserSchema },
    },
    async (ctx, { body }) => {
      const { row, password } = await createSftpUser(app.db, ctx, body);
      return { status: 201, body: { ...presentSftpUser(row), password } };
    },
  ),
  route(
    {
      ...{ method: 'DELETE', path: `${path}/{id}`, operation: 'sftpUsers.delete', summary: 'Delete an SFTP user' },
      description: 'Its connections can do nothing from then on. What it has put in stays, and its batches go on.',
      ...byPerson,
      params: Type.Object({ id: Type.String() }),
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await deleteSftpUser(app.db, ctx, id);
      return { status: 204 };
    },
  ),
];
