import { capDuckDbMemory } from './lib/duckdb/duckdb.ts';
import { ownMemoryMb, serveTasks } from './lib/processes/serve.ts';
import { judgeBacktest, replayPieces } from './resources/backtests/compute.ts';
import { compareResults } from './resources/batches/comparing.ts';
import { scoreUnit } from './resources/batches/scoring/score-unit.ts';
import { inspectFiles } from './resources/batches/work/inspect-files.ts';
import { forgetName, lookFor } from './resources/erasures/compute.ts';
import { evaluate } from './resources/evaluations/compute.ts';
import { ingest } from './resources/ingestions/compute.ts';
import { observe } from './resources/monitors/compute.ts';
import { writeColumns } from './resources/prediction-columns/compute.ts';
import { replayPredictions } from './resources/replays/compute.ts';
import { fineTuneEncoder, pretrain } from './resources/rfm-versions/compute.ts';
import { scoreShadow } from './resources/shadows/compute.ts';
import { countLabels, inspectLabels } from './resources/tasks/compute.ts';
import { train } from './resources/training-runs/compute.ts';
import { validate } from './resources/validations/compute.ts';
import { scoreWatched } from './resources/watch-lists/compute.ts';

/** The tasks that child processes run, by name. */
export const handlers = {
  compareResults,
  countLabels,
  evaluate,
  forgetName,
  ingest,
  inspectFiles,
  inspectLabels,
  judgeBacktest,
  lookFor,
  observe,
  pretrain,
  replayPieces,
  replayPredictions,
  scoreShadow,
  scoreUnit,
  scoreWatched,
  fineTuneEncoder,
  train,
  validate,
  writeColumns,
};

/**
 * The part of a task's memory that one DuckDB may take; tables lie beside it. A writer of Parquet spills its rows and
 * cannot spill some blocks of each column: measured, 1.2 MB for each of a thousand.
 */
const duckDbShare = 2 / 3;
const memoryMb = ownMemoryMb();
if (memoryMb !== null) capDuckDbMemory(Math.floor(duckDbShare * memoryMb));

serveTasks(handlers);
