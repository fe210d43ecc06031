import { organizationContext } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import { chargesOf, totalOf } from '../price-plans/charge.ts';
import { planOf } from '../price-plans/find.ts';
import { lockMeter } from '../usage/lock.ts';
import { insertDraft, insertLines, lockDraft, markIssued, selectDue, selectMissing, selectUnits } from './sql.ts';

/** An invoice is issued this long after its month has ended, so that what was used last is metered. */
export const graceMs = 60 * 60 * 1000;
const roundMost = 100;

/**
 * Begins a draft for every month that needs an invoice, and issues those whose month has ended on the clocks of every
 * workspace of the organization. Idempotent, and safe in several processes at once. Returns how many it issued.
 */
export async function closeMonths(db: Database, now = new Date(), signal?: AbortSignal): Promise<number> {
  for (let begun = roundMost; begun === roundMost && !signal?.aborted; ) begun = await beginDrafts(db, now);
  for (let issued = 0; ; ) {
    const due = await system(db, 'close months', (tx) => selectDue(tx, now, graceMs, roundMost));
    let done = 0;
    for (const { id } of due) if (!signal?.aborted && (await issue(db, id, now))) done++;
    issued += done;
    if (done === 0 || signal?.aborted) return issued;
  }
}

function beginDrafts(db: Database, now: Date): Promise<number> {
  return system(db, 'close months', async (tx) => {
    const missing = await selectMissing(tx, now, roundMost);
    for (const { organization_id, month } of missing) await insertDraft(tx, newId('ivc'), organization_id, month);
    return missing.length;
  });
}

/** Issues a draft. Returns false when another process has done so. */
function issue(db: Database, id: string, now: Date): Promise<boolean> {
  return system(db, 'close months', async (tx) => {
    // Nothing is metered meanwhile; what is metered afterwards counts in the month after.
    await lockMeter(tx);
    const draft = await lockDraft(tx, id);
    if (!draft) return false;
    const { organization_id: organizationId, month } = draft;
    const plan = await planOf(tx, organizationId);
    const charges = chargesOf(plan.document, await selectUnits(tx, organizationId, month, 'system'));
    const totalCents = totalOf(charges);
    await insertLines(tx, { id, organizationId }, charges);
    const number = await markIssued(tx, { id, organizationId, month, billedTo: draft.name, plan, totalCents, at: now });
    const ctx = organizationContext(organizationId, { type: 'system', id: null, label: 'Lastro' });
    const data = { number, month: month.slice(0, 7), currency: 'BRL', total_cents: totalCents };
    await record(tx, ctx, 'invoice-issuance', { type: 'invoice', id }, data);
    return true;
  });
}
