import { fileURLToPath } from 'node:url';
import { toShared } from '../../lib/threads/shared.ts';
import { openTeam } from '../../lib/threads/team.ts';
import { packGraph } from '../features/anchors.ts';
import { openLearningCalls } from './learning-calls.ts';
import type { LearningData } from './learning-data.ts';
import type { LearningBegin } from './learning-thread.ts';

/** With fewer rows than this, starting threads takes about as long as they save. */
const rowsMin = 1_000;
const script = fileURLToPath(new URL('./learning-thread.ts', import.meta.url));

/**
 * Does `work` with data that `threads` threads learn from, this one among them, and ends the others. What is learned
 * does not depend on their number. All read the tables in one memory, into which they are copied unless they lie there.
 * Few rows are learned from in this thread alone.
 */
export async function withTeam<T>(
  data: LearningData,
  threads: number,
  work: (data: LearningData) => Promise<T>,
): Promise<T> {
  if (threads < 2 || data.outputs[0].examples.rows.length < rowsMin) return work(data);
  const { task, graph, fresh } = data;
  const { body, sections } = packGraph(graph);
  const begin: LearningBegin = { task, fresh, tables: { body, sections: sections.map(toShared) } };
  const team = openTeam(openLearningCalls(graph, task.entity), script, threads - 1, begin);
  try {
    return await work({ ...data, team });
  } finally {
    await team.close();
  }
}
