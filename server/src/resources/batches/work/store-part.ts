import { join } from 'node:path';
import type { Context } from '../../../access/context.ts';
import { putFile } from '../../../lib/storage/put-file.ts';
import { listedWarning } from '../../../serving/rows/row-warnings.ts';
import type { App } from '../../app.ts';
import { withCrc32 } from '../crc32.ts';
import type { UnitJob } from '../queue.ts';
import type { ScoreResult } from '../scoring/score-unit.ts';
import { partKey } from '../storage-key.ts';

/**
 * Stores what an attempt at a unit has written. The keys contain the attempt, so a worker that was taken for dead
 * overwrites nothing of a later attempt.
 */
export async function storePart(
  app: App,
  ctx: Context,
  job: UnitJob,
  attempt: number,
  folder: string,
  { failed, warnings }: ScoreResult,
) {
  const key = partKey(ctx, job, attempt);
  let crc32 = () => 0;
  const { size, sha256 } = await putFile(app.storage, key, join(folder, 'part'), {
    pass(bytes) {
      const counted = withCrc32(bytes);
      crc32 = counted.crc32;
      return counted.body;
    },
  });
  const errorsKey = failed > 0 || warnings[listedWarning] !== undefined ? `${key}.errors` : null;
  const errors = errorsKey === null ? null : await putFile(app.storage, errorsKey, join(folder, 'errors'));
  return {
    part_key: key,
    part_bytes: size,
    part_sha256: sha256,
    part_crc32: crc32(),
    errors_key: errorsKey,
    errors_sha256: errors?.sha256 ?? null,
  };
}
