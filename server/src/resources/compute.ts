import { planBatch, scoreUnit } from './batches/compute.ts';
import { forgetName, lookFor } from './erasures/compute.ts';
import { ingest } from './ingestions/compute.ts';
import { pretrain, teachEncoder } from './rfm-versions/compute.ts';
import { train } from './training-runs/compute.ts';

/** What runs in child processes, by name. */
export const handlers = { forgetName, ingest, lookFor, planBatch, pretrain, scoreUnit, teachEncoder, train };
