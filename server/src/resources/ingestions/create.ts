import type { Answer } from '../../lib/http/server.ts';
import type { Context } from '../../tenancy/context.ts';
import { create } from '../../tenancy/create.ts';
import type { App } from '../app.ts';
import { type IngestionFile, presentIngestion } from './ingestion.ts';
import { selectIngestion } from './sql.ts';
import { startIngestion } from './start.ts';

/** Takes files into the workspace's data; what they need to keep to is the active contract. */
export function createIngestion(
  app: App,
  ctx: Context,
  asked: { files: readonly IngestionFile[]; metadata?: Record<string, unknown> },
): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    const id = await startIngestion(app, tx, ctx, asked);
    return presentIngestion((await selectIngestion(tx, id))!);
  });
}
