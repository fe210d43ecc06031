import type { Context } from '../../access/context.ts';
import type { RuleChannel } from '../../access/ip-rules.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { readNetwork } from '../../lib/http/networks.ts';
import { record } from '../../trail/record.ts';
import { requireKey } from '../api-keys/require.ts';
import { rulesMax } from './ip-rule.ts';
import { requireWayIn } from './lock-out.ts';
import { insertRule, type RuleRow, selectLevel } from './sql.ts';

export type NewRule = {
  readonly cidr: string;
  /** Both channels by default; for a key, its own. */
  readonly appliesTo?: RuleChannel | undefined;
  readonly note?: string | null | undefined;
  /** Of a key of the workspace; without it, of all who come in. */
  readonly keyId?: string | null | undefined;
  /** Whether the caller knows that they may lock themselves out. */
  readonly isConfirmed: boolean;
};

/**
 * Adds a network to those from which callers may come in. When it returns, no process answers those from elsewhere.
 * Throws Failure 'schema_mismatch', 'not_found' for a key, 'limit_exceeded', 'would_lock_out'.
 */
export async function createRule(db: Database, ctx: Context<Scope>, asked: NewRule): Promise<RuleRow> {
  const { note = null, keyId = null, isConfirmed } = asked;
  const cidr = readCidr(asked.cidr);
  const appliesTo = asked.appliesTo ?? (keyId === null ? 'both' : 'api');
  if (keyId !== null && appliesTo !== 'api') throw unfit('/applies_to', 'must be api, or left out, for a key');
  const row = await tenant(db, ctx, async (tx) => {
    if (keyId !== null) await named('/api_key_id', requireKey(tx, keyId));
    const made = await insertRule(tx, ctx, { id: newId('ipr'), keyId, appliesTo, cidr, note });
    const level = await selectLevel(tx, ctx, keyId);
    if (level.length > rulesMax)
      throw refuse('limit_exceeded', `there are ${rulesMax} rules here, the most there may be`);
    if (!isConfirmed) requireWayIn(ctx, level);
    const told = { cidr, applies_to: appliesTo, api_key_id: keyId, note };
    await record(tx, ctx, 'ip-rule-creation', { type: 'ip_rule', id: made.id }, told);
    return made;
  });
  await untilLeasesEnd();
  return row;
}

function readCidr(text: string): string {
  const network = readNetwork(text.trim());
  if (typeof network === 'string') throw unfit('/cidr', network);
  return network.text;
}

function unfit(at: string, message: string) {
  return refuse('schema_mismatch', `${at} ${message}`, { problems: [{ at, message }] });
}
