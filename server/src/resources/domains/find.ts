import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { domainOf } from '../users/email.ts';
import { hasRole, isBreakGlassAdmin, selectEnforcer, selectOwner } from './sql.ts';

/** The organization that has proved the domain of an address. `tx` is of the system. */
export function findOwner(tx: Tx, email: string): Promise<string | undefined> {
  return selectOwner(tx, domainOf(email));
}

/**
 * The organization that wants people of this address's domain to sign in by single sign-on. `tx` is of the system.
 */
export function findEnforcer(tx: Tx, email: string): Promise<string | undefined> {
  return selectEnforcer(tx, domainOf(email));
}

/**
 * Refuses an address whose people must sign in by single sign-on, for who would get a password. `tx` is of the system.
 * Throws Failure 'sso_required'.
 */
export async function requireOwnSignIn(tx: Tx, email: string): Promise<void> {
  if ((await findEnforcer(tx, email)) === undefined) return;
  throw refuse('sso_required', 'people of this domain sign in by single sign-on, and become members by it');
}

/**
 * Whether a user may sign in by what their account has, such as its password: always, unless people of their domain
 * must use single sign-on, they are members there, and they are a break-glass admin nowhere. `tx` is of the system.
 */
export async function mayUseOwnSignIn(tx: Tx, user: { readonly id: string; readonly email: string }): Promise<boolean> {
  const enforcer = await findEnforcer(tx, user.email);
  if (enforcer === undefined || !(await hasRole(tx, enforcer, user.id))) return true;
  // Where they are none, their session does not act.
  return isBreakGlassAdmin(tx, user.id);
}
