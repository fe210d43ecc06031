import { fileURLToPath } from 'node:url';
import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { openThread, type Thread } from '../../lib/threads/thread.ts';
import type { EntityKind } from '../../ml/contract/contract.ts';
import { gfmFolderOf, storedGfm } from '../../serving/graph-models.ts';
import { keepOpen } from '../../serving/keep-open.ts';
import { openStored } from '../../serving/open-stored.ts';
import type { GfmVersionRow } from '../gfm-versions/gfm-version.ts';
import { requireAdopted } from '../gfm-versions/require.ts';
import type { Embedded } from './by-keys.ts';
import type { GraphCalls, GraphSearch } from './graph-thread.ts';

export type GraphEmbeddings = {
  /** Embeds with the version that the workspace has adopted, as of `at` (microseconds). Throws Failure 'no_encoder'. */
  embed(
    ctx: Context,
    asked: { readonly keys: readonly string[]; readonly kind?: EntityKind; readonly at: number },
  ): Promise<Embedded & { readonly version: GfmVersionRow }>;
  /** Finds the nearest neighbors of one kind. Throws Failure 'no_encoder', 'too_many_entities'. */
  nearest(
    ctx: Context,
    search: GraphSearch,
  ): Promise<{ readonly found: Awaited<ReturnType<GraphCalls['nearest']>>; readonly version: GfmVersionRow }>;
  close(): Promise<void>;
};

/** Limited because each version has a thread and a graph in memory. Workspaces with the same version share it. */
const versionsMax = 2;
const script = fileURLToPath(new URL('graph-thread.ts', import.meta.url));

/** Keeps GFM versions open in this process. */
export function openGraphEmbeddings(db: Database, storage: Storage, workFolder: string): GraphEmbeddings {
  const opened = keepOpen<Thread<GraphCalls>>(versionsMax);
  async function ask<R>(ctx: Context, work: (thread: Thread<GraphCalls>) => Promise<R>) {
    const version = await tenant(db, ctx, (tx) => requireAdopted(tx, ctx));
    const open = async () => openVersion(await gfmFolderOf(storage, workFolder, storedGfm(version)));
    const what = `The GFM version ${version.id}`;
    return { answer: await openStored(storage, what, () => opened.use(version.id, open, work)), version };
  }
  return {
    async embed(ctx, asked) {
      const { answer, version } = await ask(ctx, (thread) => thread.call('embed', asked));
      return { ...answer, version };
    },
    async nearest(ctx, search) {
      const { answer, version } = await ask(ctx, (thread) => thread.call('nearest', search));
      return { found: answer, version };
    },
    close: () => opened.close(),
  };
}

async function openVersion(folder: string): Promise<Thread<GraphCalls>> {
  const thread = openThread<GraphCalls>(script);
  await thread.begin('open', folder);
  return thread;
}
