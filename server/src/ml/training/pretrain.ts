import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type Focus, labelsTable } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Tables } from '../graph/tables.ts';
import type { Rfm } from '../rfm/folder.ts';
import { withEncoder } from '../rfm/open.ts';
import { makeRfm } from '../rfm/train.ts';
import { isYesOrNo, type LearningData, type Progress, readableUntil } from './learning-data.ts';
import { type Regime, trainingQuestions } from './questions.ts';
import { foldsOf } from './try-recipes.ts';

/**
 * Learning data with an encoder of the task's entity (of new rows, of what they refer to that most goes on with), pre-trained on all that the
 * pool's questions may read, and another for the folds, which has seen nothing of what they are judged by. Null where there is none to be
 * had: a task of classes, or no events before the folds.
 */
export async function pretrain(
  data: LearningData,
  tables: Tables,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
): Promise<{ data: LearningData; rfm: Rfm } | null> {
  const { task, graph } = data;
  const encoded = encodedRow(data);
  if (!encoded || data.outputs.every(({ aim }) => aim.kind === 'multiclass')) return null;
  const { table, focus } = encoded;
  const make = (until: number, what: string, knownSteps?: number) =>
    makeRfm(
      tables,
      table,
      {
        until,
        seed: pretrainSeed,
        ...(task.windowDays === undefined ? {} : { horizonsDays: [1, 3, 12].map((times) => times * task.windowDays!) }),
        gapMaxDays: regime.kind === 'stale' ? regime.gapMax / microsecondsPerDay : 0,
        ignore: task.ignore,
        hide: task.hide,
        ...(knownSteps === undefined ? {} : { knownSteps }),
      },
      (phase, done, of) => progress(`encoder ${what}: ${phase}`, done, of),
    );
  const questions = trainingQuestions(data.outputs[0]!.examples, pool, regime, isYesOrNo(data));
  const starts = data.outputs.flatMap(({ examples }) =>
    foldsOf(examples, questions, regime).folds.map(({ start }) => start),
  );
  try {
    const first = starts.length === 0 ? null : starts.reduce((first, start) => Math.min(first, start));
    const judging = first === null ? null : await make(first, 'to be judged');
    const { rfm } = await make(readableUntil(data, pool, regime).cut, 'to answer', judging?.report.steps);
    const foldGraph = judging && { graph: withEncoder(graph, judging.rfm, focus), until: judging.rfm.until };
    return { data: { ...data, graph: withEncoder(graph, rfm, focus), ...(foldGraph && { foldGraph }) }, rfm };
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid') return null;
    throw error;
  }
}

const pretrainSeed = 1;

/** The row that is encoded: that asked about, or of those that a new row refers to the one with the most dated events. */
function encodedRow({ task, fresh, graph }: LearningData): { table: string; focus: Focus } | null {
  const root: Focus = { kind: 'root' };
  if (!fresh) return { table: task.entity, focus: root };
  const parents = [...graph.table(task.entity).references]
    .filter(([, { values }]) => !values)
    .map(([reference, { table }]) => ({
      ...{ table, focus: { kind: 'parent', of: root, reference } as const },
      events: countEvents(graph, table, task.entity),
    }));
  const most = parents.reduce((best, { events }) => Math.max(best, events), 0);
  return parents.find(({ events }) => events > 0 && events === most) ?? null;
}

/** Dated rows of other tables than `besides` that lead to rows of a table. */
function countEvents({ tables }: Graph, to: string, besides: string): number {
  return [...tables.values()].reduce((sum, { name, time, values, rows, references }) => {
    const leads = [...references.values()].some(({ table }) => table === to);
    return sum + (time && !values && leads && name !== besides && name !== labelsTable ? rows : 0);
  }, 0);
}
