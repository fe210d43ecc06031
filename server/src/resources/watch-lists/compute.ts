import { setImmediate as turn } from 'node:timers/promises';
import { textColumn } from '../../lib/files/column.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { riskBand } from '../../ml/calibration/score.ts';
import { isThere } from '../../ml/graph/as-of/rows.ts';
import { anchorsFor } from '../../ml/inference/anchors.ts';
import { keyOf } from '../../ml/inference/answer-rows.ts';
import type { OpenVersion } from '../../ml/inference/predict.ts';
import { mostProbable } from '../../ml/kinds/fields.ts';
import { kindNamed } from '../../ml/kinds/kinds.ts';
import { endOfToday, momentAt } from '../../serving/rows/moments.ts';
import { askedOf } from '../../serving/rows/part.ts';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';
import { answerKindOf } from '../prediction-columns/replay.ts';
import type { Score } from './move.ts';

/** The only target is the version. */
export type WatchedTask = TargetsTask & {
  readonly keys: readonly string[];
  readonly timeZone: string;
  /** As of when, in milliseconds; nothing later is read. */
  readonly asOf: number;
};

/** Why a key has no score: it is not in the data by then, or it cannot be a key. */
export type Unscored = 'unknown' | 'refused';

export type Watched = {
  /** The field of the answers that has the score. */
  readonly field: string;
  /** Of each key, in order. */
  readonly scores: readonly (Score | Unscored)[];
};

/** Keys that are scored at once: their features fit in a near cache. */
const rowsAtOnce = 4_096;

/** Scores entities by a version, as its real-time route would answer at that moment. */
export function scoreWatched(task: WatchedTask, { signal }: TaskContext<never>): Promise<Watched> {
  return useTargets(task, async ([{ opened }]) => {
    const scores: (Score | Unscored)[] = [];
    for (let from = 0; from < task.keys.length; from += rowsAtOnce) {
      scores.push(...scoreKeys(opened, task.keys.slice(from, from + rowsAtOnce), task));
      await turn();
      signal.throwIfAborted();
    }
    const { score } = kindNamed(opened.version.task.kind);
    return { field: score?.field ?? answerKindOf(opened.version).field, scores };
  });
}

function scoreKeys(
  opened: OpenVersion,
  keys: readonly string[],
  { timeZone, asOf }: Pick<WatchedTask, 'timeZone' | 'asOf'>,
): (Score | Unscored)[] {
  const { version, tables } = opened;
  const { name } = keyOf(version);
  const scores = new Array<Score | Unscored>(keys.length).fill('refused');
  const part = {
    positions: [...keys.keys()],
    rows: { rows: keys.length, columns: new Map([[name, textColumn(keys)]]) },
    moments: momentAt(timeZone, asOf),
  };
  const requests = new Map([[name.toLowerCase(), { name, type: 'string' as const }]]);
  const dates = { isDayGiven: false, today: endOfToday(timeZone, asOf) };
  const asked = askedOf(opened, requests, part, dates, () => {});
  if (asked.positions.length === 0) return scores;
  const anchors = anchorsFor(version, tables, asked.rows, asked.moments);
  const scoreAt = openScores(opened, opened.valuesAt(anchors, asked.rows));
  for (const [row, position] of asked.positions.entries()) {
    const isKnown = isThere(anchors.table, anchors.rows[row], anchors.readableUntil[row]);
    scores[position] = isKnown ? scoreAt(row) : 'unknown';
  }
  return scores;
}

/** Reads the score and the band, or class, of a row off the deciding output. */
function openScores({ version }: OpenVersion, outputs: ReturnType<OpenVersion['valuesAt']>): (row: number) => Score {
  const { output, objective, classes } = answerKindOf(version);
  const { values } = outputs[output];
  if (objective === 'multiclass') {
    const most = mostProbable(values, classes.length);
    return (row) => ({ score: values[row * classes.length + most[row]], band: classes[most[row]] });
  }
  const { score } = kindNamed(version.task.kind);
  if (score === undefined) return (row) => ({ score: values[row], band: null });
  return (row) => {
    const points = score.of(values[row]);
    return { score: points, band: riskBand(points) };
  };
}
