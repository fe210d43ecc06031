import { type Connection, openDb } from '../lib/db/db.ts';
import { admitLogin, connectionAs, ensureLogin, type Login, userOf } from '../lib/db/login.ts';
import { migrate } from '../lib/db/migrate.ts';
import { Failure } from '../lib/failure.ts';
import type { DB } from '../schema/tables.ts';
import { hasSameSecret } from './installation.ts';

/** The roles that transactions take on (`transactions.ts`). */
const roles = ['lastro_app', 'lastro_system', 'lastro_gfm'];
const loginName = 'lastro_service';

export type DatabaseSite = {
  /** How to connect as the owner of the tables. */
  readonly owner: Connection;
  /** How the service connects; null when it makes itself a login. */
  readonly given: Connection | null;
  /** Whether the server knows its users by the socket, without passwords. */
  readonly isEmbedded: boolean;
  readonly schemaFolder: string;
  /** Of the master secret, in hex. */
  readonly fingerprint: string;
  readonly password: string;
  /** Whether this process serves or works, and is not only a command beside the service. */
  readonly serves: boolean;
};

/**
 * Migrates the database as its owner, and returns how the service connects from then on: as a login that owns nothing.
 * A command that runs where the master secret is not known cannot have that login, and stays the owner.
 * Throws what `migrate` throws; Failure 'invalid' for another master secret or a login with too many rights.
 */
export async function prepareDatabase(site: DatabaseSite): Promise<Connection> {
  const { owner, given, isEmbedded, fingerprint, serves } = site;
  await migrate(owner, site.schemaFolder);
  const db = openDb<DB>(owner, { max: 1 });
  const isOurs = await hasSameSecret(db, fingerprint, serves).finally(() => db.close());
  if (!isOurs && serves)
    throw new Failure(
      'invalid',
      'the database is in use under another master secret: set LASTRO_MASTER_SECRET, or the file secret of the data folder, to that one',
    );
  if (given !== null) {
    await admitLogin(owner, userOf(given), roles);
    return given;
  }
  if (!isOurs && !isEmbedded) return owner;
  // Logins are of the whole server, which may hold the databases of several installations.
  const login: Login = isEmbedded
    ? { name: loginName, password: null }
    : { name: `${loginName}_${fingerprint.slice(0, 8)}`, password: site.password };
  await ensureLogin(owner, login);
  await admitLogin(owner, login.name, roles);
  return connectionAs(owner, login);
}
