/** The permission matrix as it is printed, and what is expected of a route. */
import type { Role } from '../../src/access/authorize.ts';
import type { AuditAction } from '../../src/trail/catalog.ts';
import type { Client } from '../service.ts';
import type { World } from '../world.ts';

/** The printed matrix, copied by hand. */
export const printed: Readonly<Record<string, readonly Role[]>> = {
  'View models; view model versions': ['creator', 'developer', 'analyst', 'auditor', 'member'],
  'Manage aliases; invoke predictions': ['creator', 'developer'],
  'View batches': ['creator', 'developer', 'analyst', 'member'],
  'Create batches; cancel batches': ['creator', 'developer'],
  'Download results; delete results': ['creator'],
  'View files': ['creator', 'member'],
  'Upload, download, delete files': ['creator'],
  'Manage API keys; manage webhooks': ['creator', 'developer'],
  'Create or update workspace; archive workspace': ['creator'],
  'View usage': ['creator', 'developer', 'billing_manager'],
  'View invoices': ['creator', 'billing_manager'],
  'Manage members': ['creator'],
  'View usage logs; view activity logs (audit)': ['creator', 'auditor'],
  'View members': ['creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member'],
};

/** Makes people for a call to use up; each returns the id. */
export type Makes = {
  member(place: 'workspace' | 'organization'): Promise<string>;
};

export type Expectation = {
  /** A line of the printed matrix; `oneself`, whoever is signed in; `anyone`; or `address`, whoever holds a signed one. */
  readonly right: string;
  /** Of the answer to those who may. */
  readonly status: number;
  /**
   * It is of the organization as a whole, or of a person alone: no key may call it, since every key is of a workspace.
   */
  readonly scope?: 'organization' | 'user';
  /** Only people who are signed in do it: no key may. */
  readonly byPerson?: true;
  /** It ends the session or the role of whoever calls it, so that each call is made by somebody new. */
  readonly spends?: true;
  /** Undoes what the call did, as a Creator of the whole organization. */
  readonly undo?: (session: Client) => Promise<unknown>;
  /** Of the parameters in the path, in order. */
  readonly ids?: (world: World) => readonly string[];
  readonly body?: (world: World) => unknown;
  readonly idsInBody?: true;
  /** Further bodies that name things of one's own beside foreign ones. */
  readonly mixed?: (own: World, foreign: World) => readonly unknown[];
  /** Makes what the call uses up; returns the parameters in the path. */
  readonly fresh?: (world: World, creator: Client, session: Client, makes: Makes) => Promise<readonly string[]>;
  /** What the trail has of it; a route that changes something has one. */
  readonly audit?: AuditAction;
  /** It changes nothing, though it is no GET: what is asked is too long for an address. */
  readonly isRead?: true;
  /** The answer does not end by itself. */
  readonly isEndless?: true;
  /** A list, which a cursor leads through. */
  readonly list?: true;
  /** What the ids name is the same in every workspace. */
  readonly isShared?: true;
  /** The list has what is of the whole organization in each of its workspaces. */
  readonly isOfOrganization?: true;
};

export const anyone = { right: 'anyone', status: 200 };
let counter = 0;
/** A name that nothing has yet. */
export const unused = (): string => `fresh-${++counter}`;

export const viewModels = { right: 'View models; view model versions', status: 200 };
export const manage = { right: 'Manage aliases; invoke predictions', status: 200 };

export function aliasIds({ model, alias }: World) {
  return [model, alias];
}

/** Nobody waits for what the newest of a list would take long to learn or to score. */
export async function interruptNewest(session: Client, path: string) {
  const { body } = await session.get(`${path}?limit=1`);
  return session.post(`${path}/${body.data[0].id}/interrupt`);
}
