import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** All addresses of a name, those of IPv4 first; none for a name that does not exist or has none. */
export type LookUpAddresses = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Of the first try; each of the others waits twice as long. A silent server is given up after 4.3 seconds. */
const timeoutMs = 500;
const tries = 3;
const none: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];
const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * Looks up addresses in the hosts file of the machine, and else at these servers (`address` or `address:port`), or
 * without any at those of the machine. It does so on sockets of its own: what the system offers holds one of the few
 * threads of the process, so that somebody's silent name server would hold up files. What is looked up throws the error
 * of the DNS when servers fail for both families, and stops when the signal aborts.
 */
export function openAddresses(servers: readonly string[]): LookUpAddresses {
  return async (name, signal) => {
    const own = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    if (own.length > 0) return own;
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      const failure = errors.find((error) => !none.includes((error as NodeJS.ErrnoException).code));
      if (found.length === 0 && failure !== undefined) throw failure;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** The addresses that lines `address name name … # comment` give a name. */
function addressesIn(hosts: string, name: string): string[] {
  return hosts.split(/\r?\n/).flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name.toLowerCase()) ? [address] : [];
  });
}
