import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type ConnectionRow, lockActive, selectActive, selectActiveById, selectSaml } from './sql.ts';

export type Connection = ConnectionRow;

/** The connection through which people of an organization sign in. */
export function findConnection(tx: Tx, organizationId: string): Promise<Connection | undefined> {
  return selectActive(tx, organizationId);
}

/** The active connection of this id, in a transaction of the system. */
export function findActive(tx: Tx, id: string): Promise<Connection | undefined> {
  return selectActiveById(tx, id);
}

/**
 * The active connection of this id, held as it is until the transaction of the system ends: sign-ins through it come
 * one after the other, so that a person who signs in twice at once is made once. Throws Failure 'not_found'.
 */
export async function holdConnection(tx: Tx, id: string): Promise<Connection> {
  const connection = await lockActive(tx, id);
  if (!connection) throw noConnection(id);
  return connection;
}

/** The connection of SAML of this id, active or not. */
export function findSaml(tx: Tx, id: string): Promise<Connection | undefined> {
  return selectSaml(tx, id);
}

/** The refusal of a connection that is not there, is not active, or is of the other kind. */
export function noConnection(id: string) {
  return refuse('not_found', `there is no active connection ${id}`);
}
