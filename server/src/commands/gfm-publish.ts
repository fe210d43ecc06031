import { resolve } from 'node:path';
import { startService } from '../app.ts';
import { readConfig } from '../config.ts';
import { within } from '../lib/storage/within.ts';
import { gfmFolder, publishGfm } from '../resources/gfm-versions/publish.ts';
import { readArguments } from './arguments.ts';
import { gfmPublishUsage } from './gfm-publish-usage.ts';

/** Releases a GFM version. */
export async function gfmPublishCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
): Promise<number> {
  const { words } = readArguments(args, gfmPublishUsage);
  const { app, close } = await startService({ ...readConfig(), demo: false }, 'none');
  try {
    const { id, name, modelSnapshot } = await publishGfm(app.db, within(app.storage, gfmFolder), resolve(words[0]));
    out.write(`${JSON.stringify({ gfm_version_id: id, name, model_snapshot: modelSnapshot }, null, 2)}\n`);
    return 0;
  } finally {
    await close();
  }
}
