import { parsingHeapMb, parsingWallMs, predictionShare, readingHeapMb, readingWallMs } from '../../app.ts';
import { searchedMax } from '../../ml/vector-search/neighborhood.ts';
import { keptShare, kinds, otherSlots, trainingShares } from '../../resources/budgets.ts';
import type { Limit, LimitSection } from './limit.ts';
import { bytes, count, duration, durationOfMs, percent } from './units.ts';

const gib = 1024 ** 3;
const mib = 1024 ** 2;

/** What customers know each kind of task as. */
const workOf: Readonly<Record<keyof typeof kinds, string>> = {
  training: 'Training, pre-training or fine-tuning',
  ingestion: 'Taking files in',
  inspection: 'Looking at a file of a batch',
  scoring: 'Scoring a unit of a batch',
  evaluation: 'Evaluating a version on a labelled file',
  replaying: 'Answering predictions of the log again',
  validation: 'Validating a version',
  observation: 'Reading what came of the predictions of a version',
  log: 'Putting a day of the log of predictions in columns, or scoring a log anew',
  watching: 'Scoring the entities of a watch list',
  counting: 'Counting the labels of a task that is not trained yet',
  erasure: 'Erasing: searching, and writing what is left',
};
// The cast holds: an object of such keys has no others.
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

const servingMemory = (share: number): string => `${percent(share)} of LASTRO_SERVING_MEMORY_MB`;

export const budgetLimits: LimitSection = {
  title: 'Time, memory and space of one task',
  about: `A task is a process that reads, learns or scores. A share of memory is LASTRO_COMPUTE_MEMORY_MB divided by ${trainingShares} × LASTRO_COMPUTE_PROCESSES + ${otherSlots}, of which a task may use ${percent(1 - keptShare)}. LASTRO_TASK_BUDGET_FACTOR multiplies time, processor time and disk space. A task that needs more is killed and not tried again; the failure of its work has the code, and names the limit. [Settings](settings.md) says more of those named here.`,
  limits: [
    ...kindNames.map((name): Limit => [workOf[name], most(kinds[name]), ['budget_exceeded'], kinds[name].advice]),
    [
      'Reading a contract or a definition',
      `${durationOfMs(parsingWallMs)}, ${bytes(mib * parsingHeapMb)} of memory`,
      ['budget_exceeded'],
      'Send a smaller or simpler one.',
    ],
    [
      'Reading a page of the rows of a table',
      `${durationOfMs(readingWallMs)}, ${bytes(mib * readingHeapMb)} of memory`,
      ['budget_exceeded'],
      'Ask for fewer rows.',
    ],
    [
      'Data of a workspace that are open for predictions, in memory',
      servingMemory(predictionShare),
      ['budget_exceeded'],
      'Predict in batches, or take in fewer rows or columns.',
    ],
    [
      'Data of a workspace that are open for embeddings, in memory',
      servingMemory(1 - predictionShare),
      ['budget_exceeded'],
      'Embed at home from an export, or take in fewer rows or columns.',
    ],
    [
      'Entities among which neighbors are searched',
      count(searchedMax),
      ['too_many_entities'],
      'Ask for the vectors, and search where you have them.',
    ],
  ],
};

function most({ wallHours, cpuHours, memoryShares, writtenGb }: (typeof kinds)[keyof typeof kinds]): string {
  return [
    duration(3_600 * wallHours),
    `${duration(3_600 * cpuHours)} of processor time`,
    `${memoryShares} ${memoryShares === 1 ? 'share' : 'shares'} of memory`,
    `${bytes(gib * writtenGb)} on disk`,
  ].join(', ');
}
