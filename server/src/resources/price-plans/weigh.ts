import { type Database, system } from '../../access/transactions.ts';
import type { Queue } from '../../lib/queue/queue.ts';
import { selectPlanWeights } from './sql.ts';

/** Gives the queues the weights that price plans say, by workspace. */
export async function weighByPlans(db: Database, queue: Pick<Queue, 'weighUsually'>): Promise<void> {
  const weights = await system(db, 'price-plan-weights', selectPlanWeights);
  await queue.weighUsually(new Map(weights.map(({ workspace_id, weight }) => [workspace_id, weight])));
}
