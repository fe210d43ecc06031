import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { waitQuery, waitUntil } from '../../api/wait.ts';
import { refuse } from '../../errors.ts';
import { allows } from '../../lib/http/validate.ts';
import { segmentsMax } from '../../ml/evaluation/segments.ts';
import type { App } from '../app.ts';
import { aliasName } from '../models/alias.ts';
import { modelName } from '../models/model.ts';
import { requireVersion } from '../models/require.ts';
import { createValidation, type ValidationRequest } from './create.ts';
import { interruptValidation } from './interrupt.ts';
import { selectValidation, selectValidations } from './sql.ts';
import { finishedStatuses, presentValidation, validationSchema } from './validation.ts';

const path = '/v1/api/models/{model_id}/versions/{version_id}/validations';
const versionParams = Type.Object({
  model_id: modelName(),
  version_id: Type.String({ description: 'Id or number of a version, or an alias that points at it.' }),
});
const params = Type.Object({ ...versionParams.properties, id: Type.String() });

export const validationRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path,
      operation: 'modelValidations.create',
      summary: 'Hold a version against the one that it would replace',
      description:
        'By the newest labels that neither has learned from, by what both say of the present, and by what they would have said of an earlier moment. Training runs do so by themselves: against what their alias points at, or else the only alias of the model, or production among several. Without alias and compare_with the version is held against nothing but itself.',
      access: 'manage_aliases',
      creates: true,
      params: versionParams,
      body: Type.Object(
        {
          alias: Type.Optional(aliasName('The alias whose version it would replace.')),
          compare_with: Type.Optional(
            shortText('Another version of the model, by its id, number or alias, in place of alias.'),
          ),
          segments: Type.Optional(
            Type.Array(shortText(), {
              maxItems: segmentsMax,
              description:
                "Columns of the entity's table, as known at each row's moment, whose values are told apart; without it those of the model's gates.",
            }),
          ),
          reference_date: Type.Optional(
            Type.String({
              pattern: '^\\d{4}-\\d{2}-\\d{2}$',
              [allows]: 'a day such as 2024-01-31',
              description: 'Read nothing after the end of this day.',
            }),
          ),
        },
        {
          title: 'ValidationRequest',
          additionalProperties: false,
          examples: [{ alias: 'production', segments: ['region'] }],
        },
      ),
      problems: ['limit_exceeded', 'invalid', 'reference_date_in_future', 'no_data'],
      answers: { 202: validationSchema },
    },
    (ctx, { params: { model_id, version_id }, body }) =>
      createValidation(app, ctx, { model: model_id, version: version_id }, body as ValidationRequest),
  ),
  route(
    {
      method: 'GET',
      path,
      operation: 'modelValidations.list',
      summary: 'Validations of a version, newest first',
      access: 'view_models',
      params: versionParams,
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(validationSchema) },
    },
    async (ctx, { params: { model_id, version_id }, query }) => {
      const { id } = await tenant(app.db, ctx, (tx) => requireVersion(tx, model_id, version_id));
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'validations', id],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectValidations(tx, id, before, most)),
          presentValidation,
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'modelValidations.get',
      summary: 'One validation, with its result once it has succeeded',
      access: 'view_models',
      params,
      query: Type.Object(waitQuery),
      answers: { 200: validationSchema },
    },
    async (ctx, { params: { model_id, version_id, id }, query, ...call }) => {
      const find = () =>
        tenant(app.db, ctx, async (tx) => {
          const version = await requireVersion(tx, model_id, version_id);
          const row = await selectValidation(tx, id);
          if (row?.version_id !== version.id)
            throw refuse('not_found', `version ${version_id} has no validation ${id}`);
          return row;
        });
      const hasEnded = async () => finishedStatuses.includes((await find()).status);
      await waitUntil(app.waits, ctx, { ...call, seconds: query.wait ?? 0 }, hasEnded);
      return { status: 200, body: presentValidation(await find()) };
    },
  ),
  route(
    {
      method: 'POST',
      path: `${path}/{id}/interrupt`,
      operation: 'modelValidations.interrupt',
      summary: 'Stop a validation',
      access: 'manage_aliases',
      params,
      problems: ['already_finished'],
      answers: { 200: validationSchema },
    },
    async (ctx, { params: { model_id, version_id, id } }) => {
      await tenant(app.db, ctx, async (tx) => {
        const version = await requireVersion(tx, model_id, version_id);
        const row = await selectValidation(tx, id);
        if (row?.version_id !== version.id) throw refuse('not_found', `version ${version_id} has no validation ${id}`);
      });
      return { status: 200, body: await interruptValidation(app, ctx, id) };
    },
  ),
];
