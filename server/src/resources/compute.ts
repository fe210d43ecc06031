import { ingest } from './ingestions/compute.ts';
import { train } from './training-runs/compute.ts';

/** What runs in child processes, by name. */
export const handlers = { ingest, train };
