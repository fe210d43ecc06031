import { hash, verify } from '@node-rs/argon2';

/** Costs of Argon2id (OWASP Password Storage Cheat Sheet): memory in KiB, passes over it, lanes. */
const costs = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password with a new salt. Returns it in the PHC format, which names the costs. Takes some 50 ms of a core.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

/**
 * Whether a password is the one that was hashed. Takes as long where there is none (null), so that the time does not
 * tell whether there is one.
 */
export async function matchesPassword(phc: string | null, password: string): Promise<boolean> {
  nobodys ??= hash('nobody has this password', costs);
  const matches = await verify(phc ?? (await nobodys), password);
  return phc !== null && matches;
}

let nobodys: Promise<string> | undefined;
