import { Resolver } from 'node:dns/promises';
import { Failure } from '../failure.ts';

/** The TXT records of a name, each as one text; none for a name that does not exist. Throws Failure 'unavailable'. */
export type LookUpTexts = (name: string) => Promise<readonly string[]>;

const timeoutMs = 3_000;
const tries = 2;
const none: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks up TXT records at these servers (`address` or `address:port`); without any, at those of the machine. */
export function openTexts(servers: readonly string[]): LookUpTexts {
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      if (none.has(String((error as NodeJS.ErrnoException).code))) return [];
      throw new Failure('unavailable', `the DNS did not answer for ${name}: try again shortly`, { cause: error });
    }
  };
}
