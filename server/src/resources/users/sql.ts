import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Language } from '../mails/texts.ts';
import { canonicalEmail } from './email.ts';

export type UserRow = {
  readonly id: string;
  readonly email: string;
  readonly display_name: string;
  readonly language: string;
  readonly language_chosen: boolean;
  readonly email_verified_at: Date | null;
  readonly created_at: Date;
};

const columns = [
  'id',
  'email',
  'display_name',
  'language',
  'language_chosen',
  'email_verified_at',
  'created_at',
] as const;

function active(tx: Tx, id: string) {
  return tx.selectFrom('users').select(columns).where('id', '=', id).where('status', '=', 'active');
}

export async function selectUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return active(tx, id).executeTakeFirst();
}

export async function selectUserForUpdate(tx: Tx, id: string): Promise<UserRow | undefined> {
  return active(tx, id).forNoKeyUpdate().executeTakeFirst();
}

export async function selectUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .select(columns)
    .where('email_canonical', '=', canonicalEmail(email))
    .where('status', '=', 'active')
    .executeTakeFirst();
}

export type NewUser = {
  readonly email: string;
  readonly name?: string;
  readonly language?: Language;
  readonly isVerified?: boolean;
};

/** Inserts a user. Returns the id. */
export async function insertUser(tx: Tx, { email, name, language, isVerified = false }: NewUser) {
  const id = newId('usr');
  const canonical = canonicalEmail(email);
  await tx
    .insertInto('users')
    .values({
      ...{ id, email: email.trim(), email_canonical: canonical, display_name: name ?? canonical.split('@')[0] },
      ...{ ...languageOf(language), email_verified_at: isVerified ? sql<Date>`now()` : null },
    })
    .execute();
  return id;
}

export async function updateUser(
  tx: Tx,
  id: string,
  change: { readonly name?: string; readonly language?: Language },
): Promise<void> {
  const { name, language } = change;
  await tx
    .updateTable('users')
    .set({ ...(name === undefined ? {} : { display_name: name }), ...languageOf(language) })
    .where('id', '=', id)
    .execute();
}

function languageOf(chosen: Language | undefined) {
  return chosen === undefined ? {} : { language: chosen, language_chosen: true };
}

/** Notes that the user reads mails to an address, which becomes theirs. */
export async function setEmail(tx: Tx, id: string, email: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email: email.trim(), email_canonical: canonicalEmail(email), email_verified_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Takes name and address off a user; the id stays, which the trail knows. */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ status: 'deleted', email: `deleted ${id}`, email_canonical: `deleted ${id}`, display_name: 'deleted' })
    .where('id', '=', id)
    .execute();
}

/** Where a user has which roles: organizations as a whole, and workspaces, also through the organization. */
export async function selectPlaces(tx: Tx, userId: string) {
  const organizations = await tx
    .selectFrom('organizations as o')
    .innerJoin('grants as g', 'g.organization_id', 'o.id')
    .select(['o.id', 'o.name', sql<string | null>`max(g.role) filter (where g.workspace_id is null)`.as('role')])
    .where('g.user_id', '=', userId)
    .groupBy('o.id')
    .orderBy('o.id')
    .execute();
  const workspaces = await tx
    .selectFrom('workspaces as w')
    .innerJoin('grants as g', 'g.organization_id', 'w.organization_id')
    .select(['w.id', 'w.organization_id', 'w.name', 'w.status', 'w.language', 'w.time_zone'])
    .select(sql<string[]>`array_agg(distinct g.role order by g.role)`.as('roles'))
    .where('g.user_id', '=', userId)
    .where((or) => or.or([or('g.workspace_id', 'is', null), or('g.workspace_id', '=', or.ref('w.id'))]))
    .groupBy('w.id')
    .orderBy('w.id')
    .execute();
  return { organizations, workspaces };
}
