import { randomInt } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import { passwordPrefix } from '../../access/credentials/sftp-user.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { hashToken, hint, makeToken } from '../../lib/crypto/tokens.ts';
import type { Problem } from '../../lib/failure.ts';
import { readPublicKey } from '../../lib/sftp/keys.ts';
import { record } from '../../trail/record.ts';
import { requireFeature } from '../organizations/features.ts';
import { usersMax } from './sftp-user.ts';
import { countUsers, insertUser, type SftpUserRow, selectUser } from './sql.ts';

type AskedUser = {
  readonly name: string;
  readonly public_keys?: readonly string[];
  /** By default where there are no keys. */
  readonly password?: boolean;
  readonly priority?: number;
};

/**
 * Creates a login for SFTP, which acts with the role of whoever makes it. `password` is returned here and never again.
 * Throws Failure 'feature_disabled', 'schema_mismatch', 'limit_exceeded'.
 */
export function createSftpUser(
  db: Database,
  ctx: Context,
  { name, public_keys: texts = [], password: wantsPassword = texts.length === 0, priority = 0 }: AskedUser,
): Promise<{ row: SftpUserRow; password: string | null }> {
  const publicKeys = readKeys(texts);
  if (publicKeys.length === 0 && !wantsPassword) {
    const message = 'without a password it needs a public key to be let in by';
    throw refuse('schema_mismatch', message, { problems: [{ at: '/public_keys', message }] });
  }
  return tenant(db, ctx, async (tx) => {
    await requireFeature(tx, ctx.organizationId, 'sftp');
    const password = wantsPassword ? makeToken(passwordPrefix) : null;
    const id = newId('sftp');
    await insertUser(tx, ctx, {
      ...{ id, userId: ctx.actor.id!, name, login: loginOf(name), publicKeys, priority },
      passwordHash: password && hashToken(password),
      passwordHint: password && hint(password),
    });
    if ((await countUsers(tx)) > usersMax)
      throw refuse('limit_exceeded', `a workspace has at most ${usersMax} users of SFTP: delete one that is not used`);
    const row = (await selectUser(tx, id))!;
    const about = { name, login: row.login, public_keys: publicKeys.length, password: wantsPassword };
    await record(tx, ctx, 'sftp-user-creation', { type: 'sftp_user', id }, about);
    return { row, password };
  });
}

function readKeys(texts: readonly string[]): string[] {
  const problems: Problem[] = [];
  const lines = texts.flatMap((text, at) => {
    const key = readPublicKey(text);
    if (typeof key !== 'string') return [key.line];
    problems.push({ at: `/public_keys/${at}`, message: key });
    return [];
  });
  if (problems.length > 0)
    throw refuse('schema_mismatch', `${problems[0]!.at.slice(1)} ${problems[0]!.message}`, { problems });
  return [...new Set(lines)];
}

const digits = '23456789abcdefghjkmnpqrstuvwxyz';
const randomDigits = 8;
const slugLengthMax = 20;

/** A login that tells the name, and that nobody else has: logins are of the whole installation. */
function loginOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLengthMax)
    .replace(/^-+|-+$/g, '');
  const random = Array.from({ length: randomDigits }, () => digits[randomInt(digits.length)]).join('');
  return `${slug === '' ? 'sftp' : slug}-${random}`;
}
