import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { refuse, refuseText } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import { diffContracts } from '../../ml/contract/diff.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { isReserved } from '../../ml/contract/reserved.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentContract } from './contract.ts';
import { activate, insertProposed, lockContracts, selectActive, selectContract } from './sql.ts';

/**
 * Adds a contract version, which becomes active at once when `accept` is set. Throws Failure 'invalid_contract' with
 * the line and path of each problem.
 */
export function proposeContract(
  app: App,
  ctx: Context,
  { document, accept }: { document: string; accept?: boolean },
): Promise<Answer> {
  const contract = parsed(document);
  return create(app.db, ctx, 201, async (tx) => {
    await lockContracts(tx, ctx);
    const active = await selectActive(tx);
    const changes = active ? diffContracts(parseContract(active.document, 'the active contract'), contract) : [];
    const id = await insertProposed(tx, ctx, { document, baseId: active?.id ?? null, changes, ingestionId: null });
    await record(tx, ctx, 'data-contract-version', { type: 'contract', id }, { status: 'proposed' });
    if (accept) await acceptWithin(tx, ctx, id);
    return presentContract((await selectContract(tx, id))!);
  });
}

/**
 * Makes a proposed version active. Throws Failure 'conflict' when the version is not proposed, or when it was proposed
 * upon a contract other than the active one.
 */
export async function acceptWithin(tx: Tx, ctx: Context, id: string): Promise<void> {
  await lockContracts(tx, ctx);
  const proposed = await selectContract(tx, id);
  if (proposed?.status !== 'proposed') throw refuse('conflict', `contract ${id} is not proposed any more`);
  const active = await selectActive(tx);
  if ((active?.id ?? null) !== proposed.base_id)
    throw refuse(
      'conflict',
      `contract ${id} was proposed upon ${proposed.base_id ?? 'none'}, and ${active?.id ?? 'none'} is active by now, whose changes it would undo: send the files again, or propose a document with both`,
    );
  await activate(tx, id);
  await record(tx, ctx, 'data-contract-version', { type: 'contract', id }, { status: 'active' });
}

function parsed(document: string): Contract {
  let contract: Contract;
  try {
    contract = parseContract(document, 'document');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refuseText('invalid_contract', '/document', error);
  }
  const problems = contract.tables.flatMap(({ name: table, columns }) =>
    columns
      .filter(({ name }) => isReserved(name))
      .map(({ name }) => ({ at: '/document', message: `${table}.${name}: the name is reserved; rename the column` })),
  );
  if (problems.length > 0) throw refuse('invalid_contract', problems[0].message, { problems });
  return contract;
}
