import { Type } from 'typebox';
import type { Permission } from '../../access/authorize.ts';
import { tenant } from '../../access/transactions.ts';
import { nullable } from '../../api/nullable.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import {
  keySchema,
  lifeDaysDefault,
  lifeDaysMax,
  newKeySchema,
  overlapHoursDefault,
  overlapHoursMax,
  presentKey,
  scopeSchema,
} from './api-key.ts';
import { createKey } from './create.ts';
import { deleteKey } from './delete.ts';
import { renameKey, rotateKey } from './rotate.ts';
import { lockKey, selectKeyPage } from './sql.ts';

const dayMs = 24 * 60 * 60_000;
const byPerson = { access: 'manage_api_keys', channels: ['dashboard'] } as const;
const params = Type.Object({ id: Type.String() });

export const apiKeyRoutes = (app: App): Route[] => [
  listRoute(app, {
    ...{ path: '/v1/api/api-keys', list: 'api-keys', operation: 'apiKeys.list' },
    summary: 'API keys of the workspace, newest first',
    ...{ access: 'manage_api_keys', scope: 'workspace', schema: keySchema, present: presentKey },
    selectPage: (tx, _, before, most) => selectKeyPage(tx, before, most),
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/api-keys',
      operation: 'apiKeys.create',
      summary: 'Make an API key',
      description:
        'It acts in this workspace with your role, as that is at each request, and within its scopes. Its secret is in this answer and in no other.',
      ...byPerson,
      fresh: true,
      body: Type.Object(
        {
          name: shortText(),
          scopes: Type.Optional(
            nullable(
              Type.Array(scopeSchema, {
                maxItems: 50,
                description: 'What it may at most: null, the default, for all.',
              }),
            ),
          ),
          expires_in_days: Type.Optional(
            nullable(
              Type.Integer({
                minimum: 1,
                maximum: lifeDaysMax,
                description: `${lifeDaysDefault} by default; null for a key that does not expire.`,
              }),
            ),
          ),
        },
        { title: 'ApiKeyRequest', additionalProperties: false, examples: [{ name: 'nightly batches' }] },
      ),
      answers: { 201: newKeySchema },
    },
    async (ctx, { body: { name, scopes, expires_in_days: days = lifeDaysDefault } }) => {
      const { id, secret } = await createKey(app.db, ctx, {
        ...{ name, userId: ctx.actor.id! },
        ...(scopes ? { scopes: scopes as readonly Permission[] } : {}),
        ...(days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs) }),
      });
      const row = await tenant(app.db, ctx, (tx) => lockKey(tx, id));
      return { status: 201, body: { ...presentKey(row!), secret } };
    },
  ),
  route(
    {
      method: 'PATCH',
      path: '/v1/api/api-keys/{id}',
      operation: 'apiKeys.rename',
      summary: 'Rename an API key that you made',
      ...byPerson,
      params,
      body: Type.Object(
        { name: shortText() },
        { title: 'ApiKeyChange', additionalProperties: false, examples: [{ name: 'monthly batches' }] },
      ),
      answers: { 200: keySchema },
    },
    async (ctx, { params: { id }, body: { name } }) => ({
      status: 200,
      body: presentKey(await renameKey(app.db, ctx, id, name)),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/api-keys/{id}/rotation',
      operation: 'apiKeys.rotate',
      summary: 'Give an API key that you made a new secret',
      description:
        'The secret it had stays good for some hours, so that callers can change over; the one before that ends at once.',
      ...byPerson,
      fresh: true,
      params,
      body: Type.Object(
        {
          overlap_hours: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: overlapHoursMax,
              description: `How long the secret it had stays good: ${overlapHoursDefault} by default, 0 to end it at once.`,
            }),
          ),
        },
        { title: 'ApiKeyRotation', additionalProperties: false, examples: [{ overlap_hours: 24 }] },
      ),
      answers: { 200: newKeySchema },
    },
    async (ctx, { params: { id }, body: { overlap_hours: hours = overlapHoursDefault } }) => {
      const { row, secret } = await rotateKey(app.db, ctx, id, hours);
      return { status: 200, body: { ...presentKey(row), secret } };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/api-keys/{id}',
      operation: 'apiKeys.delete',
      summary: 'Delete an API key',
      description: 'Its maker may, and whoever manages members. No request with it is answered from then on.',
      ...byPerson,
      params,
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await deleteKey(app.db, ctx, id);
      return { status: 204 };
    },
  ),
];
