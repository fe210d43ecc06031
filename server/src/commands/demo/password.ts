import { randomInt } from 'node:crypto';
import { operator } from '../../access/actor.ts';
import { system } from '../../access/transactions.ts';
import type { App } from '../../resources/app.ts';
import { findPassword, setPassword } from '../../resources/passwords/set.ts';
import { findUserByEmail } from '../../resources/users/find.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';

/** Without vowels, so that no word comes about, and without what looks like something else. */
const characters = 'bcdfghjkmnpqrstvwxz23456789';
const groups = 4;
const groupLength = 5;

/**
 * Sees to it that the user of an address has a password, and returns the one that is known: what is in `known`, or a
 * new one, which `keep` writes down before it counts. Returns undefined where the user has a password of their own
 * choice, or is gone.
 */
export async function givePassword(
  { db, hasher }: Pick<App, 'db' | 'hasher'>,
  email: string,
  known: string | undefined,
  keep: (password: string) => void,
): Promise<string | undefined> {
  const found = await system(db, 'demo password', async (tx) => {
    const user = await findUserByEmail(tx, email);
    return user && { userId: user.id, phc: await findPassword(tx, user.id) };
  });
  if (!found) return undefined;
  const { userId, phc } = found;
  if (phc !== null) return known !== undefined && (await hasher.check(phc, known)) ? known : undefined;
  const password = known ?? makePassword();
  keep(password);
  const made = await hasher.make(password);
  await system(db, 'demo password', async (tx) => {
    await setPassword(tx, userId, made);
    const doer = { actor: operator, channel: 'cli', ip: null, userAgent: null, requestId: null } as const;
    await recordOfUser(tx, doer, userId, 'password-update', { payload: { first: true } });
  });
  return password;
}

function makePassword(): string {
  const group = () => Array.from({ length: groupLength }, () => characters[randomInt(characters.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
