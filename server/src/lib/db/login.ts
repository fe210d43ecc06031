// The login with which the service runs. It owns nothing and is no superuser: a statement that slipped in could read
// and write rows as the roles allow, but not switch off a trigger or a policy.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import pg from 'pg';
import { Failure } from '../failure.ts';
import type { Connection } from './db.ts';
import { nameRefusal } from './failures.ts';
import { withClient } from './migrate.ts';
import { repeatRaces } from './roles.ts';

export type Login = {
  readonly name: string;
  /** Null where the server knows its users otherwise, as on a socket of this machine. */
  readonly password: string | null;
};

/** Rounds of the hash of a password, PostgreSQL's own default. */
const scramRounds = 4096;

/** Makes the login, or gives an existing one its password. `owner` must be able to create roles. */
export async function ensureLogin(owner: Connection, { name, password }: Login): Promise<void> {
  await withClient(owner, async (client) => {
    await repeatRaces(async () => {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
      const verb = rowCount === 0 ? 'create' : 'alter';
      // The server gets a verifier, since statements may be logged.
      const secret = password === null ? '' : ` password ${pg.escapeLiteral(scramVerifier(password, saltOf(name)))}`;
      await client.query(`${verb} role ${pg.escapeIdentifier(name)} login noinherit${secret}`);
    });
  }).catch((error) => {
    throw nameRefusal(error);
  });
}

/**
 * Lets a login take on the roles, and checks that it has no rights of its own. Throws Failure 'invalid' for a login
 * that is a superuser, can bypass row-level security, or owns the tables.
 */
export async function admitLogin(owner: Connection, login: string, roles: readonly string[]): Promise<void> {
  await withClient(owner, async (client) => {
    for (const role of roles)
      await repeatRaces(async () => {
        const { rowCount } = await client.query(
          'select from pg_auth_members where roleid = $1::regrole and member = quote_ident($2)::regrole',
          [role, login],
        );
        if (rowCount === 0) await client.query(`grant ${role} to ${pg.escapeIdentifier(login)}`);
      });
    const { rows } = await client.query<{ rolsuper: boolean; rolbypassrls: boolean; owns: boolean }>(
      `select rolsuper, rolbypassrls, exists (select from pg_class where relowner = role.oid) as owns
       from pg_roles as role where rolname = $1`,
      [login],
    );
    const right = rightOf(rows[0]);
    if (right !== null)
      throw new Failure(
        'invalid',
        `The login ${login} of DATABASE_URL ${right}, and the service runs with less: name one there that may only connect, and in DATABASE_OWNER_URL the one that owns the tables.`,
      );
  }).catch((error) => {
    throw nameRefusal(error);
  });
}

function rightOf(login: { rolsuper: boolean; rolbypassrls: boolean; owns: boolean } | undefined): string | null {
  if (login === undefined) return 'does not exist';
  if (login.rolsuper) return 'is a superuser';
  if (login.rolbypassrls) return 'sees past row-level security';
  return login.owns ? 'owns tables' : null;
}

/** The same server and database with another login. */
export function connectionAs(connection: Connection, { name, password }: Login): Connection {
  if ('user' in connection && password === null) return { ...connection, user: name };
  // The driver reads addresses in several forms.
  const { host, port, database, ssl } = new pg.Client(connection);
  return {
    ...{ host, port, database: database!, user: name },
    ...(password === null ? {} : { password }),
    ...(ssl ? { ssl } : {}),
  };
}

/** The user whom an address names. */
export function userOf(connection: Connection): string {
  return new pg.Client(connection).user!;
}

/** The password is random, so that no table of hashes can hold it under this salt. */
function saltOf(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 16);
}

/** What PostgreSQL keeps of a password (RFC 5802 and 7677). */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, scramRounds, 32, 'sha256');
  const keyOf = (what: string): Buffer => createHmac('sha256', salted).update(what).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${scramRounds}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
