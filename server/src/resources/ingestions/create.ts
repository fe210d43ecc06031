import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { refuse } from '../../errors.ts';
import type { Answer } from '../../lib/http/server.ts';
import { outcomeOf } from '../../lib/outcome.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import type { KeepFiles } from '../files/receive-parts.ts';
import { requireRoom } from '../open-work.ts';
import { type AskedIngestion, type IngestionFile, presentIngestion } from './ingestion.ts';
import type { readTableNames } from './parsing.ts';
import { countOpen, selectIngestionInTurn } from './sql.ts';
import { startIngestion } from './start.ts';

/** The names allowed for a table that the contract does not have yet. */
const tableName = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ .-]*[\p{L}\p{N}_])?$/u;

/**
 * Queues an ingestion of files into the workspace's data; `keepFiles` writes down those that came with the request. The
 * active contract says what the files must satisfy. Throws Failure 'invalid' for a table name that is not allowed or a
 * file given twice for one table, 'limit_exceeded', 'quota_exceeded', and those of `startIngestion`.
 */
export async function createIngestion(
  app: App,
  ctx: Context,
  asked: AskedIngestion,
  keepFiles: KeepFiles = async () => {},
): Promise<Answer> {
  const named = await outcomeOf(refuseNames(app, ctx, asked.files));
  return create(app.db, ctx, 202, async (tx) => {
    await keepFiles(tx);
    await requireRoom(tx, 'ingestions', countOpen);
    refuseTwice(asked.files);
    named();
    const id = await startIngestion(app, tx, ctx, asked);
    return presentIngestion((await selectIngestionInTurn(tx, id))!);
  });
}

function refuseTwice(files: readonly IngestionFile[]): void {
  const places = new Map<string, number>();
  for (const [at, { file_id, table }] of files.entries()) {
    const name = JSON.stringify([file_id, table]);
    const first = places.get(name);
    places.set(name, at);
    if (first === undefined) continue;
    const message = `gives ${file_id} for ${table} again, as /files/${first} does: a file is taken in once`;
    throw refuse('invalid', `/files/${at} ${message}`, { problems: [{ at: `/files/${at}`, message }] });
  }
}

/** Refuses table names that are not allowed. Names of the contract's tables are always allowed. */
async function refuseNames(app: App, ctx: Context, files: readonly IngestionFile[]): Promise<void> {
  const odd = files.filter(({ table }) => !tableName.test(table));
  if (odd.length === 0) return;
  const contract = await tenant(app.db, ctx, selectActiveContract);
  const input = contract && { contract: contract.document };
  const tables = input
    ? await app.parsing.run<typeof readTableNames>({ name: 'readTableNames', input }, ctx.workspaceId)
    : [];
  const at = files.findIndex((file) => odd.includes(file) && !tables.includes(file.table));
  if (at < 0) return;
  const place = `/files/${at}/table`;
  const message = `must be letters, digits, _, and between them blanks, . and -; it is ${JSON.stringify(files[at].table)}`;
  throw refuse('invalid', `${place} ${message}`, { problems: [{ at: place, message }] });
}
