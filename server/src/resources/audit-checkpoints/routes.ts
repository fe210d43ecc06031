import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { listRoute } from '../../api/read-routes.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { proveConsistency } from '../../trail/proofs.ts';
import type { App } from '../app.ts';
import { checkpointExample, checkpointSchema, presentCheckpoint } from './checkpoint.ts';
import { requireCheckpoint, treeOf } from './require.ts';
import { type CheckpointRow, selectCheckpoints } from './sql.ts';

const growthSchema = answerOf(
  'AuditGrowth',
  {
    older: { ...checkpointExample, size: 1 },
    newer: checkpointExample,
    path: ['96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'],
  },
  {
    older: checkpointSchema,
    newer: checkpointSchema,
    path: Type.Array(Type.String(), { description: 'The consistency proof of RFC 6962 §2.1.2, in hex.' }),
  },
);

const keySchema = answerOf(
  'AuditKey',
  {
    name: 'lastro.audit',
    key_id: 'c74f20a3',
    algorithm: 'Ed25519',
    public_key: 'lastro.audit+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  },
  {
    name: Type.String(),
    key_id: Type.String(),
    algorithm: Type.String(),
    public_key: Type.String({ description: "As C2SP's signed-note writes keys." }),
  },
);

const growthQuery = Type.Object({
  older: Type.Integer({ minimum: 1, description: 'Leaves of the older checkpoint.' }),
  newer: Type.Optional(Type.Integer({ minimum: 1, description: 'Of the newer one; by default of the newest.' })),
});

export const auditCheckpointRoutes = (app: App): Route[] => [
  ...routesIn(app, 'workspace', '/v1/api/audit-checkpoints', 'auditCheckpoints'),
  ...routesIn(app, 'organization', '/v1/api/organization/audit-checkpoints', 'organizationAuditCheckpoints'),
  openRoute(
    {
      method: 'GET',
      path: '/v1/api/audit-key',
      operation: 'auditKeys.get',
      summary: 'The key by which checkpoints of audit trails are signed',
      access: 'public',
      answers: { 200: keySchema },
    },
    async () => {
      const { name, keyId, publicKey } = app.keys.audit;
      return { status: 200, body: { name, key_id: keyId, algorithm: 'Ed25519', public_key: publicKey } };
    },
  ),
];

/** A checkpoint as lists go by it. */
type Placed = { readonly id: string; readonly row: CheckpointRow };

function routesIn(app: App, scope: 'workspace' | 'organization', path: string, operation: string): Route[] {
  const readable = { access: 'view_activity_logs', scope } as const;
  return [
    listRoute<Placed, typeof scope>(app, {
      ...{ path, list: 'audit-checkpoints', operation: `${operation}.list` },
      summary: `Checkpoints of the tree of the ${scope}'s audit entries, newest first`,
      description:
        'A checkpoint is a signed statement of all entries up to a moment. Who keeps one can tell whether they were changed.',
      ...{ ...readable, schema: checkpointSchema, present: ({ row }: Placed) => presentCheckpoint(row) },
      selectPage: async (tx, ctx, before, most) => {
        const rows = await selectCheckpoints(tx, treeOf(ctx), before === null ? null : Number(before), most);
        return rows.map((row) => ({ id: String(row.size), row }));
      },
    }),
    route(
      {
        method: 'GET',
        path: `${path}/consistency`,
        operation: `${operation}.getConsistency`,
        summary: `The proof that the tree of the ${scope}'s audit entries only grew between two checkpoints`,
        ...readable,
        query: growthQuery,
        problems: ['not_found', 'conflict'],
        answers: { 200: growthSchema },
      },
      async (ctx: Context<Scope>, { query }) =>
        tenant(app.db, ctx, async (tx) => {
          const older = await requireCheckpoint(tx, ctx, query.older);
          const newer = await requireCheckpoint(tx, ctx, query.newer);
          if (older.size > newer.size) throw refuse('conflict', 'the older checkpoint has more leaves than the newer');
          const path = await proveConsistency(tx, newer.tree, older.size, newer.size);
          const body = {
            ...{ older: presentCheckpoint(older), newer: presentCheckpoint(newer) },
            path: path.map((hash) => hash.toString('hex')),
          };
          return { status: 200, body };
        }),
    ),
  ];
}
