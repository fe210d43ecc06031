import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import type { Tables } from '../graph/tables.ts';
import type { Rfm } from '../rfm/folder.ts';
import { withEncoder } from '../rfm/open.ts';
import { makeRfm } from '../rfm/train.ts';
import { isYesOrNo, type LearningData, type Progress, readableUntil } from './learning-data.ts';
import { type Regime, trainingQuestions } from './questions.ts';
import { foldsOf } from './try-recipes.ts';

/**
 * Learning data with an encoder of the task's entity, pre-trained on all that the pool's questions may read, and another for the
 * folds, which has seen nothing of what they are judged by. Null where there is none to be had: a task for new rows or of classes, or
 * no events before the folds.
 */
export async function pretrain(
  data: LearningData,
  tables: Tables,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
): Promise<{ data: LearningData; rfm: Rfm } | null> {
  const { task, fresh, graph } = data;
  if (fresh || data.outputs.every(({ aim }) => aim.kind === 'multiclass')) return null;
  const make = (until: number, what: string, knownSteps?: number) =>
    makeRfm(
      tables,
      task.entity,
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
    const foldGraph = judging && { graph: withEncoder(graph, judging.rfm), until: judging.rfm.until };
    return { data: { ...data, graph: withEncoder(graph, rfm), ...(foldGraph && { foldGraph }) }, rfm };
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid') return null;
    throw error;
  }
}

const pretrainSeed = 1;
