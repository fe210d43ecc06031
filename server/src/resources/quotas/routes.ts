import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { type Route, route } from '../../api/route.ts';
import { listUsed } from '../allowances/list-used.ts';
import type { App } from '../app.ts';
import { quotaPeriods, quotaResources } from '../meters/quota.ts';

const example = {
  data: [
    {
      resource: 'predictions',
      of: 'organization',
      period: 'month',
      limit: 5_000_000,
      used: 1_204_311,
      resets_at: '2026-04-01T03:00:00.000Z',
    },
    { resource: 'open_batches', of: 'workspace', period: 'now', limit: 20, used: 3, resets_at: null },
  ],
};

const listSchema = answerOf('QuotaList', example, {
  data: Type.Array(
    Type.Object(
      {
        resource: Type.String({ enum: [...quotaResources] }),
        of: Type.String({
          enum: ['workspace', 'organization'],
          description: 'Whose use counts: of this workspace, or of all workspaces of the organization together.',
        }),
        period: Type.String({
          enum: [...quotaPeriods],
          description:
            'month: what is used in a calendar month. now: what there is at once. second: what is asked for in a second, of each process.',
        }),
        limit: Type.Integer(),
        used: nullable(
          Type.Integer({ description: 'In this month, counted within seconds, or now. Null by the second.' }),
        ),
        resets_at: nullable(Type.String({ description: 'When the next month begins; null without a month.' })),
      },
      { title: 'Quota' },
    ),
  ),
});

export const quotaRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/quotas',
      operation: 'quotas.list',
      summary: 'The quotas that the workspace is under, and what is used of them',
      description:
        'Set by the operator, or part of the price plan. What is asked for beyond one is refused as quota_exceeded; predictions in a second as rate_limited.',
      access: 'view_usage',
      answers: { 200: listSchema },
    },
    async (ctx) => ({ status: 200, body: { data: await listUsed(app.db, ctx) } }),
  ),
];
