import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { selectStatus } from '../../lib/db/status.ts';
import type { Answer } from '../../lib/http/server.ts';
import { outcomeOf } from '../../lib/outcome.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { addProposal } from './add-proposal.ts';
import { type ContractRow, presentContract } from './contract.ts';
import type { compareContract } from './parsing.ts';
import { activate, lockContracts, selectActive, selectContract } from './sql.ts';

/** What accepting a contract does to the data; the ingestions, which themselves read contracts, give it. */
export type PlanAdoption = (
  app: App,
  ctx: Context,
  document: string,
) => Promise<{
  /** Whether the data are under a contract that says otherwise. */
  readonly isBehind: boolean;
  start(tx: Tx, asking: string | null): Promise<Adoption>;
}>;

type ContractRequest = {
  readonly document: string;
  readonly accept?: boolean;
  readonly ingestion_id?: string | null;
};

type Adoption = { readonly started_ingestion_id: string | null; readonly tables_to_send_again: readonly string[] };

/**
 * Adds a contract version, which becomes active at once when `accept` is set, as by `acceptContract`. `ingestion_id`: a
 * refused ingestion whose files it is for. Throws Failure 'invalid_contract' with the line and path of each problem;
 * 'not_found'; 'conflict' when another version became active meanwhile, or the ingestion was not refused.
 */
export async function proposeContract(
  app: App,
  planAdoption: PlanAdoption,
  ctx: Context,
  { document, accept, ingestion_id: asking = null }: ContractRequest,
): Promise<Answer> {
  const active = await tenant(app.db, ctx, async (tx) => {
    if (asking !== null) await named('/ingestion_id', requireRefused(tx, asking));
    return selectActive(tx);
  });
  // Before the transaction, which would keep its connection from others while the text is read.
  const compare = async () => {
    const changes = await app.parsing.run<typeof compareContract>(
      { name: 'compareContract', input: { document, active: active?.document ?? null } },
      ctx.workspaceId,
    );
    return { changes, adoption: accept ? await planAdoption(app, ctx, document) : null };
  };
  const compared = await outcomeOf(compare());
  return create(app.db, ctx, 201, async (tx) => {
    const { changes, adoption } = compared();
    await lockContracts(tx, ctx);
    const id = await addProposal(tx, ctx, { document, baseId: active?.id ?? null, changes, ingestionId: asking });
    if (accept) await acceptWithin(tx, ctx, id);
    const adopted = (await adoption?.start(tx, asking)) ?? { started_ingestion_id: null, tables_to_send_again: [] };
    return { ...presentContract((await selectContract(tx, id))!), ...adopted };
  });
}

async function requireRefused(tx: Tx, id: string): Promise<void> {
  const status = await selectStatus(tx, 'ingestions', id);
  if (status === undefined) throw refuse('not_found', `there is no ingestion ${id}`);
  if (status !== 'refused')
    throw refuse('conflict', `ingestion ${id} is ${status}: only files of a refused one wait for a contract`);
}

/**
 * Makes a proposed version active. Throws Failure 'conflict' when the version is not proposed, or when it was proposed
 * upon a contract other than the active one.
 */
export async function acceptWithin(tx: Tx, ctx: Context, id: string): Promise<void> {
  await lockContracts(tx, ctx);
  const proposed = await selectContract(tx, id);
  if (proposed?.status !== 'proposed') throw refuse('conflict', `contract ${id} ${settled(proposed?.status)}`);
  const active = await selectActive(tx);
  if ((active?.id ?? null) !== proposed.base_id)
    throw refuse(
      'conflict',
      `contract ${id} was proposed upon ${proposed.base_id ?? 'none'}, and ${active?.id ?? 'none'} is active by now, whose changes it would undo: send the files again, or propose a document with both`,
    );
  await activate(tx, id);
  await record(tx, ctx, 'data-contract-version', { type: 'contract', id }, { status: 'active' });
}

/** Why a version that is not proposed any more cannot be accepted, and what leads back to it. */
function settled(status: ContractRow['status'] | undefined): string {
  if (status === 'active')
    return 'is not proposed any more: it is the active one. Data that there are, are under it; files that are not in yet are sent by an ingestion of their own (POST /v1/api/ingestions)';
  const is = status === undefined ? '' : ` but ${status}`;
  return `is not proposed any more${is}: to go back to it, propose its document again: POST /v1/api/contracts with its document, as GET /v1/api/contracts/{id} shows it`;
}
