// Roles belong to the whole cluster, so that two databases may be migrated into it at the same moment.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../failure.ts';

/** Without login and above nothing: who is connected as the owner takes one of them on for a transaction. */
const roles = ['lastro_app', 'lastro_system'];

const attemptsMax = 20;
const delayMs = 20;
/**
 * Somebody else has just made it, or is changing the same row of a catalog, which has a code for nothing in particular.
 */
const raceCodes: ReadonlySet<string> = new Set(['42710', '23505', 'XX000']);

/**
 * Makes the roles and lets the connected user take them on, where that is not so. Throws `Failure('conflict')` when
 * a role may see past row-level security.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of roles) {
    await repeat(async () => {
      const exists = await client.query('select from pg_roles where rolname = $1', [role]);
      if (exists.rowCount === 0) await client.query(`create role ${role} nologin`);
    });
    await repeat(async () => {
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

async function repeat(work: () => Promise<void>): Promise<void> {
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
