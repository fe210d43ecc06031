import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { graphModel } from '../../access/transactions.ts';
import { within } from '../../lib/storage/within.ts';
import { demoVersionName } from '../../ml/gfm/economy/demo-version.ts';
import type { App } from '../../resources/app.ts';
import { gfmFolder, publishGfm } from '../../resources/gfm-versions/publish.ts';

/** The lowered priority of the process, because nobody waits for its result. */
const niceness = 10;

/**
 * Releases the GFM version that is delivered with the service, unless it is already released. A child process makes it
 * with the operator's command, because half a minute of computing would delay every request. `stop` ends that process.
 * Throws an Error when the command fails, and as `publishGfm` does.
 */
export async function seedGraphModel(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  dataDir: string,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const released = await graphModel(db, (tx) =>
    tx.selectFrom('gfm_versions').select('id').where('name', '=', demoVersionName).executeTakeFirst(),
  );
  if (released) return;
  const folder = join(dataDir, 'demo-gfm');
  if (!existsSync(folder)) await makeVersion(folder, stop);
  const { id } = await publishGfm(db, within(storage, gfmFolder), folder);
  rmSync(folder, { recursive: true });
  say(
    `${demoVersionName}, a graph model of a made-up economy (SYN-C0000001 and others, none of them the demo lender's), is released: POST /v1/api/gfm-versions/${id}/adoption lets a workspace read it`,
  );
}

async function makeVersion(folder: string, stop: AbortSignal): Promise<void> {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'gfm', 'demo-version', '--out', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: stop,
  });
  if (child.pid !== undefined) setPriority(child.pid, niceness);
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`lastro gfm demo-version ended with ${code}: ${told.trim()}`);
}
