import { refuse } from '../errors.ts';
import { type Db, glance, type Transaction, transaction } from '../lib/db/db.ts';
import { brokenConstraint } from '../lib/db/failures.ts';
import type { DB } from '../schema/tables.ts';
import type { Scope } from './scope.ts';

export type Database = Db<DB>;
export type Tx = Transaction<DB>;

/**
 * Runs `work` in one transaction that reads and writes only the rows of `scope` (row-level security): those of its
 * workspace or, for an organization as a whole, those that belong to none of its workspaces.
 * Throws what `work` throws, after rolling back; Failure 'unavailable' when the database does not answer; the refusals
 * of `invariants`.
 */
export function tenant<T>(
  db: Database,
  scope: Pick<Scope, 'organizationId' | 'workspaceId'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const settings = {
    role: 'lastro_app',
    'app.organization_id': scope.organizationId,
    // No workspace has the empty id: with it, the policies show no workspace's rows.
    'app.workspace_id': scope.workspaceId ?? '',
  };
  return nameInvariant(transaction(db, settings, work, scope.workspaceId ?? scope.organizationId));
}

/**
 * Runs `work` in one transaction that sees the rows of every customer. `job` names the work that needs this: only the
 * recognition of callers, upkeep, and commands of the operator.
 */
export function system<T>(db: Database, job: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return nameInvariant(transaction(db, systemSettings(job), work));
}

const systemSettings = (job: string) => ({ role: 'lastro_system', 'app.job': job });

/**
 * Returns the names whose condition holds, in one round trip. A condition is SQL that sees the rows of every customer
 * and costs little: it is asked for many times a second.
 */
export async function whichHold(
  db: Database,
  job: string,
  conditions: Readonly<Record<string, string>>,
): Promise<string[]> {
  const columns = Object.values(conditions).map((condition, at) => `${condition} as "${at}"`);
  const statement = `select ${columns.join(', ')}`;
  const [held] = await glance<DB, Record<string, boolean>>(db, systemSettings(job), statement);
  return Object.keys(conditions).filter((_, at) => held[at]);
}

/** Runs `work` in one transaction that sees the versions of the graph model and no customer's rows. */
export function graphModel<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, { role: 'lastro_gfm' }, work);
}

/** What the database holds at the end of every transaction, by the name of the constraint, which is the code too. */
const invariants = {
  last_creator: 'the organization would have no Creator: make somebody else one first',
  break_glass_required:
    'single sign-on is on, and no break-glass admin could sign in: one must be a Creator of the whole organization with a password, a proved address and an app for codes',
} as const;

/** Names the refusal of a transaction that would have broken an invariant. */
async function nameInvariant<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    const broken = brokenConstraint(error) as keyof typeof invariants;
    if (!Object.hasOwn(invariants, broken)) throw error;
    throw refuse(broken, invariants[broken], { cause: error });
  }
}
