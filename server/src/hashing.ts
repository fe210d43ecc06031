import { checkHash, makeHash } from './lib/crypto/hashing.ts';
import { serveTasks } from './lib/processes/serve.ts';

/** The tasks that hash passwords, in a child process of low priority: a flood of sign-ins holds up nobody's answers. */
export const handlers = { checkHash, makeHash };

serveTasks(handlers);
