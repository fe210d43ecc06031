// A thread of a training.
import { serveTeam } from '../../lib/threads/team.ts';
import { unpackGraph } from '../features/anchors.ts';
import type { PackedTables } from '../graph/frozen.ts';
import type { Task } from '../tasks/task.ts';
import { openLearningCalls } from './learning-calls.ts';

export type LearningBegin = { readonly task: Task; readonly tables: PackedTables; readonly fresh: boolean };

serveTeam(({ task, tables, fresh }: LearningBegin) => {
  return openLearningCalls(unpackGraph(task, tables, fresh), task.entity);
});
