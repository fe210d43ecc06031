// Roles belong to the whole PostgreSQL cluster, so migrations of two of its databases may create them at the same
// moment.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../failure.ts';

/** The roles have no login and no special attributes. A connection of the owner takes one on for a transaction. */
const roles = ['lastro_app', 'lastro_system'];

const attemptsMax = 20;
const delayMs = 20;
/**
 * Codes of a race: another session has just created the role, or is changing the same row of a catalog. For the latter
 * PostgreSQL only has XX000, its code for internal errors.
 */
const raceCodes: ReadonlySet<string> = new Set(['42710', '23505', 'XX000']);

/**
 * Creates the roles and grants them to the connected user, where that is missing. Throws `Failure('conflict')` when a
 * role can bypass row-level security.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of roles) {
    await repeatRaces(async () => {
      const exists = await client.query('select from pg_roles where rolname = $1', [role]);
      if (exists.rowCount === 0) await client.query(`create role ${role} nologin`);
    });
    await repeatRaces(async () => {
      const isMember = await client.query(
        'select from pg_auth_members where roleid = $1::regrole and member = current_user::regrole',
        [role],
      );
      if (isMember.rowCount === 0) await client.query(`grant ${role} to current_user`);
    });
  }
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)',
    [roles],
  );
  if (rows.length > 0)
    throw new Failure('conflict', `The role ${rows[0].rolname} sees past row-level security: take that right from it.`);
}

/** Runs a change of roles again when another session has changed the same at that moment. */
export async function repeatRaces(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isRace = error instanceof pg.DatabaseError && raceCodes.has(error.code ?? '');
      if (!isRace || attempt === attemptsMax) throw error;
      await sleep(delayMs * Math.random());
    }
  }
}
