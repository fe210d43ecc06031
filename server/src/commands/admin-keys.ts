import { operator } from '../access/actor.ts';
import type { Context } from '../access/context.ts';
import type { Database } from '../access/transactions.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import { Failure } from '../lib/failure.ts';
import { createKey } from '../resources/api-keys/create.ts';
import { listKeys, workspaceOfKey } from '../resources/api-keys/list.ts';
import { revokeKey } from '../resources/api-keys/revoke.ts';
import { requireMemberByEmail } from '../resources/members/require.ts';
import { adminKeysUsage } from './admin-usage.ts';
import { type Arguments, readArguments, requireOptions, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Lists, creates and revokes API keys, for the operator of the host. */
export async function adminKeysCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminKeysUsage);
  const act = acts[requireWord(words, 1, Object.keys(acts), adminKeysUsage)];
  requireOptions(values, act.required, adminKeysUsage);
  const days = values.days;
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
    throw new Failure('invalid', `--days must be a whole number from 1 to 99999, not ${days}`);
  return besideService(out, ({ app }) => act.run(app.db, values));
}

type Act = {
  readonly required: readonly string[];
  run(db: Database, values: Arguments['values']): Promise<unknown>;
};

const acts: Readonly<Record<string, Act>> = {
  list: { required: [], run: (db, { workspace }) => listKeys(db, workspace) },
  create: {
    required: ['workspace', 'email'],
    async run(db, { workspace, email, name, days }) {
      const ctx = await operatorContext(db, workspace!);
      const userId = await requireMemberByEmail(db, ctx, email!);
      const expires = days === undefined ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs) };
      const { id, secret } = await createKey(db, ctx, { name: name ?? 'made by the operator', userId, ...expires });
      return { key_id: id, workspace_id: ctx.workspaceId, api_key: secret, expires_at: expires.expiresAt ?? null };
    },
  },
  revoke: {
    required: ['key'],
    async run(db, { key }) {
      const workspace = await workspaceOfKey(db, key!);
      if (workspace === undefined) throw new Failure('not_found', `there is no key ${key}`);
      await revokeKey(db, await operatorContext(db, workspace), key!);
      return { key_id: key, revoked: true };
    },
  },
};

async function operatorContext(db: Database, workspaceId: string): Promise<Context> {
  return { ...(await workspaceContext(db, workspaceId, operator)), channel: 'cli' };
}
