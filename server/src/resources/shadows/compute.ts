import { join } from 'node:path';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';
import { writeColumns } from '../prediction-columns/compute.ts';
import { answerKindOf, type ReplayClock, replayLog } from '../prediction-columns/replay.ts';
import type { ShadowAnswers } from './shadow.ts';
import type { ShadowAnswer } from './sql.ts';

export type ShadowTask = TargetsTask &
  ReplayClock & {
    /** A local file with predictions of one snapshot as lines of JSON, and a folder to write in. */
    readonly path: string;
    readonly folder: string;
  };

export type Shadowed = { readonly answers: ShadowAnswers; readonly rows: readonly ShadowAnswer[] };

/** Answers predictions that were answered over a snapshot, over the same and as of the same moments. */
export function scoreShadow({ path, folder, ...task }: ShadowTask): Promise<Shadowed> {
  return useTargets(task, async ([{ opened }]) => {
    const out = join(folder, 'columns.parquet');
    await writeColumns({ path, out });
    const rows: ShadowAnswer[] = [];
    for await (const { ids, rows: count, logged, answers } of replayLog(out, null, [opened], task)) {
      const after = new Array<number | null>(count).fill(null);
      for (const [k, row] of answers[0].rows.entries()) after[row] = answers[0].values[k];
      for (let row = 0; row < count; row++)
        rows.push({
          id: ids.dictionary[ids.codes[row]],
          before: Number.isNaN(logged[row]) ? null : logged[row],
          after: after[row],
        });
    }
    const { output: _, ...answers } = answerKindOf(opened.version);
    return { answers, rows };
  });
}
