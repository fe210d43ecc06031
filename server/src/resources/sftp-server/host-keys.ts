import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { seal, unseal } from '../../lib/crypto/sealed.ts';
import { makeHostKey } from '../../lib/sftp/keys.ts';
import type { App } from '../app.ts';
import { insertHostKey, lockHostKeys, selectHostKeys } from './sql.ts';

type Parts = Pick<App, 'db' | 'keys'>;

/** The private key by which the service proves itself now. The first start of the door makes one, for all processes. */
export function usableHostKey({ db, keys }: Parts): Promise<string> {
  return system(db, 'host keys', async (tx) => {
    await lockHostKeys(tx);
    const [known] = await selectHostKeys(tx);
    if (known) return unseal(keys.sealing, known.private_key, contextOf(known.id));
    const made = makeHostKey();
    await insertHostKey(tx, { ...sealed(keys, made), used_from: new Date() });
    return made.privateKey;
  });
}

export type HostKey = { readonly fingerprint: string; readonly usedFrom: Date };

/** The fingerprints of the key that is shown now and of the one that will be, if any. */
export async function listHostKeys({ db }: Pick<App, 'db'>): Promise<HostKey[]> {
  const rows = await system(db, 'host keys', selectHostKeys);
  return rows.map(({ fingerprint, used_from }) => ({ fingerprint, usedFrom: used_from }));
}

/**
 * Makes the host key that is shown from `usedFrom` on, so that clients can be told its fingerprint before. Processes
 * show it to whoever connects after that. Throws Failure 'conflict' while another one waits.
 */
export function rotateHostKey({ db, keys }: Parts, usedFrom: Date): Promise<HostKey> {
  return system(db, 'host keys', async (tx) => {
    await lockHostKeys(tx);
    const waiting = (await selectHostKeys(tx)).find(({ used_from }) => used_from > new Date());
    if (waiting)
      throw refuse('conflict', `the key ${waiting.fingerprint} waits already, for ${waiting.used_from.toISOString()}`);
    const made = makeHostKey();
    await insertHostKey(tx, { ...sealed(keys, made), used_from: usedFrom });
    return { fingerprint: made.fingerprint, usedFrom };
  });
}

function sealed(keys: App['keys'], { privateKey, fingerprint }: ReturnType<typeof makeHostKey>) {
  const id = newId('hostkey');
  return { id, private_key: seal(keys.sealing, privateKey, contextOf(id)), fingerprint };
}

function contextOf(id: string): string {
  return `sftp_host_keys.private_key ${id}`;
}
