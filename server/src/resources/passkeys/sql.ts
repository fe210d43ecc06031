import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { NewCredential, Use } from '../../lib/crypto/webauthn.ts';

const columns = [
  ...(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'transports', 'backup_eligible'] as const),
  ...(['backed_up', 'name', 'created_at', 'last_used_at'] as const),
];

/** The passkeys of a user, newest first. */
export async function selectPasskeys(tx: Tx, userId: string) {
  return tx.selectFrom('passkeys').select(columns).where('user_id', '=', userId).orderBy('id', 'desc').execute();
}
export type PasskeyRow = Awaited<ReturnType<typeof selectPasskeys>>[number];

/** The passkey, of whomever, that devices know by this id. */
export async function selectByCredential(tx: Tx, credentialId: string): Promise<PasskeyRow | undefined> {
  return tx.selectFrom('passkeys').select(columns).where('credential_id', '=', credentialId).executeTakeFirst();
}

/** The counter of a passkey, which nobody else changes before the transaction ends; undefined without the passkey. */
export async function lockCounter(tx: Tx, id: string): Promise<number | undefined> {
  const row = await tx.selectFrom('passkeys').select('counter').where('id', '=', id).forUpdate().executeTakeFirst();
  return row?.counter;
}

export type PasskeyToStore = NewCredential & {
  readonly userId: string;
  readonly name: string;
  readonly transports: readonly string[];
};

/** Returns undefined when some user has the credential already. */
export async function insertPasskey(tx: Tx, passkey: PasskeyToStore): Promise<PasskeyRow | undefined> {
  return tx
    .insertInto('passkeys')
    .values({
      ...{ id: newId('psk'), user_id: passkey.userId, name: passkey.name, transports: [...passkey.transports] },
      ...{ credential_id: passkey.id, public_key: passkey.publicKey, counter: passkey.counter },
      ...{ backup_eligible: passkey.isBackupEligible, backed_up: passkey.isBackedUp },
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function updateUse(tx: Tx, id: string, { counter, isBackedUp }: Use): Promise<void> {
  await tx
    .updateTable('passkeys')
    .set({ counter, backed_up: isBackedUp, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function updateName(tx: Tx, userId: string, id: string, name: string): Promise<PasskeyRow | undefined> {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst();
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<PasskeyRow | undefined> {
  return tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst();
}

export async function deletePasskeys(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}
