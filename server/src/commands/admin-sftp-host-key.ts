import { Failure } from '../lib/failure.ts';
import type { App } from '../resources/app.ts';
import { type HostKey, listHostKeys, rotateHostKey } from '../resources/sftp-server/host-keys.ts';
import { adminSftpHostKeyUsage } from './admin-usage.ts';
import { readArguments, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

const dayMs = 24 * 60 * 60_000;
const daysDefault = 14;
const daysMax = 365;

/** Shows the host keys of SFTP and makes the next one, for the operator of the host. */
export async function adminSftpHostKeyCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminSftpHostKeyUsage);
  const act = requireWord(words, 1, ['show', 'rotate'], adminSftpHostKeyUsage);
  const days = Number(values['in-days'] ?? daysDefault);
  if (!(Number.isInteger(days) && days >= 0 && days <= daysMax))
    throw new Failure('invalid', `--in-days must be a whole number of days up to ${daysMax}, not ${values['in-days']}`);
  return besideService(out, ({ app }: { readonly app: App }) =>
    act === 'show'
      ? listHostKeys(app).then((keys) => ({ host_keys: keys.map(present) }))
      : rotateHostKey(app, new Date(Date.now() + days * dayMs)).then(present),
  );
}

function present({ fingerprint, usedFrom }: HostKey) {
  return { fingerprint, used_from: usedFrom.toISOString() };
}
