import { createHmac } from 'node:crypto';
import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { type Route, route } from '../../api/route.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type Exploring, requireKnown } from './explore.ts';

/** Hexadecimal digits of a fingerprint: no two keys of a workspace are likely to have the same. */
const fingerprintDigits = 32;

/**
 * The route by which somebody has the CPF of an entity shown. The trail is kept when the entity is erased, so that it
 * gets a fingerprint of the key instead of the key.
 */
export const revealRoute = (app: App, exploring: Exploring): Route =>
  route(
    {
      method: 'POST',
      path: '/v1/api/entities/{table}/{key}/reveal',
      operation: 'entities.reveal',
      summary: 'Record that you have the personal data of an entity shown',
      description:
        'The dashboard masks the CPF of people until whoever reads the page wants to see it, and asks this first: the audit log has who looked, and when. It has a fingerprint of the key, the same at every look, from which nobody can tell the key. Answers of the API are not masked.',
      access: 'invoke_predictions',
      params: Type.Object({
        table: Type.String({ description: 'The table of the entity.' }),
        key: Type.String({ description: 'Its key, as the tables have it.' }),
      }),
      problems: ['not_found', 'budget_exceeded', 'object_damaged'],
      answers: { 204: null },
    },
    async (ctx, { params: { table, key } }) => {
      await requireKnown(exploring, ctx, { table, key });
      const named = JSON.stringify([ctx.workspaceId, table, key]);
      const id = createHmac('sha256', app.keys.fingerprints).update(named).digest('hex').slice(0, fingerprintDigits);
      await tenant(app.db, ctx, (tx) => record(tx, ctx, 'personal-data-reveal', { type: 'entity', id }, { table }));
      return { status: 204 };
    },
  );
