import type { Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { TrainingRuns } from '../../schema/tables.ts';
import type { App } from '../app.ts';
import type { RunRow } from './run.ts';

/**
 * The work of a run. It computes and stores a result. It returns a function that adds the result to the database, in
 * the transaction that ends the run.
 */
export type Learn = (given: {
  readonly app: App;
  readonly ctx: Context;
  readonly row: RunRow;
  /** A folder that belongs to this attempt and is removed with it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly tell: (progress: { phase: string; fraction: number; metrics?: Record<string, unknown> }) => void;
}) => Promise<(tx: Tx, current: RunRow) => Promise<Updateable<TrainingRuns>>>;
