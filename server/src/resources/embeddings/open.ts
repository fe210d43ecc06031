import { fileURLToPath } from 'node:url';
import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { openThread } from '../../lib/threads/thread.ts';
import { keepOpen } from '../../serving/keep-open.ts';
import { requireOpenable, snapshotMb } from '../../serving/memory.ts';
import { openStored } from '../../serving/open-stored.ts';
import { placeVersion } from '../../serving/place-version.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import { placeGfm } from '../gfm-versions/place.ts';
import { newestOf, requireRfmVersion } from '../rfm-versions/require.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';
import type { Embedded, EntityKey, Search, Similar } from './by-keys.ts';
import type { EmbeddingCalls, EncoderPlace } from './thread.ts';

/** An encoder over the newest data of its workspace. `at`: readableUntil, in microseconds of the data's local time. */
export type OpenEncoder = {
  readonly version: Pick<RfmVersionRow, 'id' | 'entity'>;
  embed(keys: readonly EntityKey[], at: number): Promise<Embedded>;
  nearest(search: Search): Promise<Similar[] | null>;
};

export type AskedEncoder = { readonly entity?: string; readonly rfm_version_id?: string };

export type Embeddings = {
  /**
   * Runs `work` with the requested encoder version. Without one, it uses the newest encoder of the requested table, or
   * of the only table that has one. Throws Failure 'not_found', 'no_data', 'no_encoder', 'budget_exceeded'.
   */
  use<R>(ctx: Context, asked: AskedEncoder, work: (encoder: OpenEncoder) => Promise<R>): Promise<R>;
  close(): Promise<void>;
};

/** Limited because each has a thread and its tables in memory. */
export const openDataMax = 2;
const encodersMax = 4;
const script = fileURLToPath(new URL('thread.ts', import.meta.url));

/** Keeps encoders, and the tables that they read, open in this process, in about `memoryMb` together. */
export function openEmbeddings(db: Database, storage: Storage, workFolder: string, memoryMb: number): Embeddings {
  const opened = keepOpen<Awaited<ReturnType<typeof openTables>>>(openDataMax, undefined, memoryMb);
  return {
    async use(ctx, asked, work) {
      const { version, snapshot, names } = await tenant(db, ctx, async (tx) => ({
        version: await (asked.rfm_version_id === undefined
          ? newestOf(tx, asked.entity)
          : requireRfmVersion(tx, asked.rfm_version_id)),
        snapshot: await currentSnapshot(tx, ctx),
        names: await currentIdentifiers(tx, ctx),
      }));
      if (!snapshot) throw refuse('no_data', 'the workspace has no data yet');
      const bytes = Number(snapshot.frozen_bytes);
      requireOpenable(bytes, memoryMb);
      const open = async () => openTables(await localSnapshot(storage, snapshot, names));
      const { gfm_version_id: gfm } = version;
      const place = async () => ({
        folder: await placeVersion(storage, workFolder, version.id, {
          prefix: version.storage_prefix,
          files: version.files,
        }),
        graphModel: gfm === null ? null : await placeGfm({ db, storage }, ctx, workFolder, gfm),
      });
      return openStored(storage, `The data or the encoder ${version.id}`, () =>
        opened.use(
          `${snapshot.id} ${names}`,
          open,
          ({ thread, useEncoder }) =>
            useEncoder(version.id, place, (encoder) =>
              work({
                version,
                embed: (keys, at) => thread.call('embed', { encoder, keys, at }),
                nearest: (search) => thread.call('nearest', { ...search, encoder }),
              }),
            ),
          snapshotMb(bytes),
        ),
      );
    },
    close: () => opened.close(),
  };
}

async function openTables(files: { readonly frozen: string; readonly names: string | null }) {
  const thread = openThread<EmbeddingCalls>(script);
  await thread.begin('openTables', files);
  const encoders = keepOpen<{ encoder: number; close(): void }>(encodersMax);
  return {
    thread,
    ended: thread.ended,
    close: () => thread.close(),
    useEncoder<R>(id: string, place: () => Promise<EncoderPlace>, work: (encoder: number) => Promise<R>): Promise<R> {
      const open = async () => {
        const encoder = await thread.call('openEncoder', await place());
        return { encoder, close: () => void thread.call('closeEncoder', encoder).catch(() => {}) };
      };
      return encoders.use(id, open, ({ encoder }) => work(encoder));
    },
  };
}
