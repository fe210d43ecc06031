import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { aliasName } from '../models/alias.ts';
import { endSplit } from '../models/end-split.ts';
import { gatesOverride, modelName } from '../models/model.ts';
import { requireModel } from '../models/require.ts';
import { splitAlias } from '../models/split-alias.ts';
import { getSplit } from './get.ts';
import { splitSchema } from './split.ts';

const path = '/v1/api/models/{model_id}/aliases/{alias}/split';
const params = Type.Object({ model_id: modelName(), alias: aliasName() });

export const aliasSplitRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path,
      operation: 'aliasSplits.get',
      summary: 'The split of an alias, and how the answers of its two versions and what came of them compare',
      description:
        'Only predictions count that were made since it began; of outcomes, those whose windows have closed.',
      access: 'view_models',
      params,
      problems: ['object_damaged'],
      answers: { 200: splitSchema },
    },
    async (ctx, { params: { model_id, alias } }) => ({
      status: 200,
      body: await getSplit(app, ctx, model_id, alias),
    }),
  ),
  route(
    {
      method: 'PUT',
      path,
      operation: 'aliasSplits.set',
      summary: 'Have another version answer a share of those whom an alias is asked about, or change the share',
      description:
        'Real-time predictions that name the alias are answered by the version where they are about somebody of the share: by a hash of whom they are about, so that somebody is in it always or never, and a larger share has all of a smaller one. The answer says which version gave it. The version must be active, take what the one of the alias takes, and pass the gates of the model as if the alias were moved to it. Batches go on by the version that the alias points at. Another version begins anew; the split ends when the alias moves.',
      access: 'manage_aliases',
      params,
      body: Type.Object(
        {
          version_id: shortText(),
          share: Type.Number({ minimum: 0.001, maximum: 0.999 }),
          override: Type.Optional(gatesOverride),
        },
        {
          title: 'AliasSplitRequest',
          additionalProperties: false,
          examples: [{ version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', share: 0.1 }],
        },
      ),
      problems: ['version_inactive', 'invalid', 'gates_failed', 'object_damaged'],
      answers: { 200: splitSchema },
    },
    async (ctx, { params: { model_id, alias }, body: { version_id, share, override } }) => {
      const asked = { versionId: version_id, share, ...(override && { override }) };
      await tenant(app.db, ctx, (tx) => splitAlias(tx, ctx, model_id, alias, asked));
      return { status: 200, body: await getSplit(app, ctx, model_id, alias) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path,
      operation: 'aliasSplits.delete',
      summary: 'End the split of an alias: the version that it points at answers all again',
      access: 'manage_aliases',
      params,
      answers: { 204: null },
    },
    async (ctx, { params: { model_id, alias } }) => {
      await tenant(app.db, ctx, async (tx) => {
        const { id } = await requireModel(tx, model_id);
        if (!(await endSplit(tx, ctx, id, alias, 'ended')))
          throw refuse('not_found', `alias ${alias} of model ${model_id} is not split`);
      });
      return { status: 204 };
    },
  ),
];
