import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import { idsFrom } from '../../../lib/crypto/ids.ts';
import { dayAt } from '../../../lib/time-zone.ts';
import type { ShadowTraffic } from '../../../ml/validation/by-shadow.ts';
import { selectShadowed } from './sql.ts';

const trafficDays = 30;
const trafficMax = 20_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * What callers have asked another version within a month, and a version answered in its shadow: the newest of it, until
 * a moment. Null where there is nothing.
 */
export async function shadowTraffic(
  tx: Tx,
  ctx: Context,
  version: { readonly id: string; readonly model_id: string },
  of: string,
  until = new Date(),
): Promise<ShadowTraffic | null> {
  const from = idsFrom('prd', until.getTime() - trafficDays * dayMs);
  const rows = await selectShadowed(tx, ctx, version, { of, from, until, most: trafficMax });
  if (rows.length === 0) return null;
  const answered = rows.flatMap(({ before, after }) => (after === null ? [] : [{ before, after }]));
  const dayOf = (at: Date) => dayAt(ctx.timeZone, at.getTime());
  return {
    before: answered.map(({ before }) => before),
    after: answered.map(({ after }) => after),
    refused: rows.length - answered.length,
    from: dayOf(rows[0].created_at),
    until: dayOf(rows.at(-1)!.created_at),
  };
}
