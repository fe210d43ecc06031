import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import type { SetupChange } from './sql.ts';
import { insertSteps, updateStep } from './sql.ts';

/** Writes down which steps there will be, in their order; those that are known stay as they are. */
export function planSetup(db: Database, ctx: Context, steps: readonly string[]): Promise<void> {
  return tenant(db, ctx, (tx) => insertSteps(tx, ctx, steps));
}

/** Writes down how a planned step stands. */
export function reportSetup(db: Database, ctx: Context, step: string, change: SetupChange): Promise<void> {
  return tenant(db, ctx, (tx) => updateStep(tx, ctx, step, change));
}
