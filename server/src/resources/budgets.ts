// What each compute task may use, by kind of work.
import type { Budget } from '../lib/processes/budget.ts';
import { leaves } from './job.ts';

type Kind = {
  readonly work: string;
  readonly wallHours: number;
  /** Of all threads of the task. */
  readonly cpuHours: number;
  readonly memoryShares: number;
  readonly writtenGb: number;
  readonly advice: string;
};

export const trainingShares = 2;
/** Slots for tasks of one share, beside those in which models are trained. */
export const otherSlots = leaves.training;
/** The part of a slot's memory that is kept for what a task takes between two looks at it. */
export const keptShare = 1 / 8;
/** The least memory of a share in which Node, DuckDB and a small file fit. */
const shareMinMb = 256;

const smaller = 'Send the data as several smaller files, or with fewer columns.';

export const kinds = {
  training: {
    ...{ work: 'Training', wallHours: 12, cpuHours: 24, memoryShares: trainingShares, writtenGb: 50 },
    advice: 'Learn from fewer labels, or from tables with fewer rows or columns.',
  },
  ingestion: {
    ...{ work: 'Taking in the files', wallHours: 2, cpuHours: 4, memoryShares: 1, writtenGb: 100 },
    advice: smaller,
  },
  inspection: {
    ...{ work: 'Looking at the file', wallHours: 0.5, cpuHours: 0.5, memoryShares: 1, writtenGb: 1 },
    advice: smaller,
  },
  scoring: {
    ...{ work: 'Scoring the rows', wallHours: 4, cpuHours: 8, memoryShares: 1, writtenGb: 100 },
    advice: smaller,
  },
  evaluation: {
    ...{ work: 'Evaluating the version', wallHours: 2, cpuHours: 4, memoryShares: 1, writtenGb: 1 },
    advice: 'Send fewer rows, or name fewer segments.',
  },
  replaying: {
    ...{ work: 'Replaying predictions', wallHours: 2, cpuHours: 4, memoryShares: 1, writtenGb: 1 },
    advice: 'Replay fewer predictions at a time.',
  },
  validation: {
    ...{ work: 'Validating the version', wallHours: 2, cpuHours: 4, memoryShares: 1, writtenGb: 1 },
    advice: 'Name fewer segments, or learn from fewer labels.',
  },
  observation: {
    ...{ work: 'Reading what came of predictions', wallHours: 0.5, cpuHours: 1, memoryShares: 1, writtenGb: 1 },
    advice: 'Switch the monitor of the model off, or give the installation more memory.',
  },
  log: {
    ...{ work: 'Reading the log of predictions', wallHours: 2, cpuHours: 4, memoryShares: 1, writtenGb: 10 },
    advice: 'Ask about fewer days.',
  },
  watching: {
    ...{ work: 'Scoring the watch list', wallHours: 1, cpuHours: 2, memoryShares: 1, writtenGb: 1 },
    advice: 'Watch fewer entities in one list.',
  },
  counting: {
    ...{ work: 'Counting the labels', wallHours: 0.5, cpuHours: 1, memoryShares: 1, writtenGb: 1 },
    advice: 'Ask about fewer moments, or train the task at once.',
  },
  erasure: {
    ...{ work: 'Searching what is stored', wallHours: 2, cpuHours: 4, memoryShares: 1, writtenGb: 100 },
    advice: 'Delete files and results that are no longer needed, and ask again.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

const kindOfTask = {
  train: 'training',
  pretrain: 'training',
  fineTuneEncoder: 'training',
  ingest: 'ingestion',
  inspectFiles: 'inspection',
  inspectLabels: 'inspection',
  countLabels: 'counting',
  scoreUnit: 'scoring',
  evaluate: 'evaluation',
  compareResults: 'replaying',
  replayPredictions: 'replaying',
  validate: 'validation',
  observe: 'observation',
  judgeBacktest: 'log',
  replayPieces: 'log',
  writeColumns: 'log',
  scoreShadow: 'log',
  scoreWatched: 'watching',
  lookFor: 'erasure',
  forgetName: 'erasure',
} as const satisfies Readonly<Record<string, keyof typeof kinds>>;

/** The settings that budgets follow from. `budgetFactor` multiplies time and disk space. */
export type BudgetSettings = {
  readonly computeMemoryMb: number;
  readonly computeProcesses: number;
  readonly budgetFactor: number;
};

/**
 * The budget of each task, by its name. All slots at their limits at once stay under `computeMemoryMb`: in
 * `computeProcesses` slots models may be trained, the others are for one share each.
 */
export function taskBudgets(settings: BudgetSettings): Readonly<Record<keyof typeof kindOfTask, Budget>> {
  const names = Object.keys(kindOfTask) as (keyof typeof kindOfTask)[];
  const budgets = names.map((name) => [name, budgetOf(kinds[kindOfTask[name]], settings)]);
  // The cast holds: there is an entry for each name.
  return Object.fromEntries(budgets) as Record<keyof typeof kindOfTask, Budget>;
}

/** The most compute processes whose shares of a memory are large enough to work in: at least 1. */
export function processesWithin(computeMemoryMb: number, shareMb: number): number {
  return Math.max(1, Math.floor((computeMemoryMb / shareMb - otherSlots) / trainingShares));
}

/** The least compute memory for a number of processes, in MB. */
export function memoryMinMb(computeProcesses: number): number {
  return shares(computeProcesses) * shareMinMb;
}

function shares(computeProcesses: number): number {
  return trainingShares * computeProcesses + otherSlots;
}

function budgetOf(kind: Kind, { computeMemoryMb, computeProcesses, budgetFactor }: BudgetSettings): Budget {
  const slotMb = (kind.memoryShares * computeMemoryMb) / shares(computeProcesses);
  const more = 'The operator can raise this limit by LASTRO_TASK_BUDGET_FACTOR.';
  return {
    work: kind.work,
    isLong: kind === kinds.training,
    wallSeconds: 3_600 * kind.wallHours * budgetFactor,
    cpuSeconds: 3_600 * kind.cpuHours * budgetFactor,
    memoryMb: Math.floor(slotMb * (1 - keptShare)),
    writtenMb: 1_024 * kind.writtenGb * budgetFactor,
    advice: kind.advice,
    raise: {
      ...{ wall: more, cpu: more, written: more },
      memory: 'The operator can raise this limit by LASTRO_COMPUTE_MEMORY_MB, or by fewer LASTRO_COMPUTE_PROCESSES.',
    },
  };
}
