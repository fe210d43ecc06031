import type { Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { TrainingRuns } from '../../schema/tables.ts';
import type { App } from '../app.ts';
import type { RunRow } from './run.ts';

/** What a run does: computes, stores what came of it, and returns how that is made true together with the run's end. */
export type Learn = (given: {
  readonly app: App;
  readonly ctx: Context;
  readonly row: RunRow;
  /** Of this attempt alone; goes with it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly tell: (progress: { phase: string; fraction: number; metrics?: Record<string, unknown> }) => void;
}) => Promise<(tx: Tx, current: RunRow) => Promise<Updateable<TrainingRuns>>>;
