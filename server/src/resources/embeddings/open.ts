import { fileURLToPath } from 'node:url';
import type { Context } from '../../access/context.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { openThread } from '../../lib/threads/thread.ts';
import type { Explorer } from '../../ml/network/explore.ts';
import { openGenerations, type Unit } from '../../serving/generations.ts';
import { keepOpen } from '../../serving/keep-open.ts';
import { requireOpenable, snapshotMb } from '../../serving/memory.ts';
import { openStored } from '../../serving/open-stored.ts';
import { placeVersion } from '../../serving/place-version.ts';
import { currentIdentifiers, currentSnapshot, type SnapshotRow } from '../../serving/snapshot.ts';
import { lineOf, localSnapshot } from '../../serving/snapshot-files.ts';
import { placeGfm } from '../gfm-versions/place.ts';
import { newestOf, requireRfmVersion } from '../rfm-versions/require.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';
import type { Embedded, EntityKey, Placed, Search, Similar } from './by-keys.ts';
import type { EmbeddingCalls, EncoderPlace } from './thread.ts';

/** An encoder over the newest data of its workspace. `at`: readableUntil, in microseconds of the data's local time. */
export type OpenEncoder = {
  readonly version: Pick<RfmVersionRow, 'id' | 'entity'>;
  embed(keys: readonly EntityKey[], at: number): Promise<Embedded>;
  nearest(search: Search): Promise<Similar[] | null>;
  layOut(most: number, at: number): Promise<Placed>;
};

/** The newest data of a workspace. */
export type OpenData = {
  readonly snapshotId: string;
  readonly explore: {
    readonly [name in keyof Explorer]: (...asked: Parameters<Explorer[name]>) => Promise<ReturnType<Explorer[name]>>;
  };
};

export type AskedEncoder = { readonly entity?: string; readonly rfm_version_id?: string };

export type Embeddings = {
  /**
   * Runs `work` with the requested encoder version. Without one, it uses the newest encoder of the requested table, or
   * of the only table that has one. Throws Failure 'not_found', 'no_data', 'no_encoder', 'budget_exceeded'.
   */
  use<R>(ctx: Context, asked: AskedEncoder, work: (encoder: OpenEncoder) => Promise<R>): Promise<R>;
  /**
   * Runs `work` with the data of the workspace, which need no encoder. Returns null where it has none yet. Throws
   * Failure 'budget_exceeded'.
   */
  useData<R>(ctx: Context, work: (data: OpenData) => Promise<R>): Promise<R | null>;
  close(): Promise<void>;
};

/** Limited because each has a thread and its tables in memory. */
export const openDataMax = 2;
const encodersMax = 4;
const script = fileURLToPath(new URL('thread.ts', import.meta.url));

/** What embeddings are made from: the newest snapshot and dictionary. */
type Source = { readonly snapshot: SnapshotRow; readonly names: string | null };
/** Since when it is served, in milliseconds since 1970: since the snapshot was made, about. */
const servedSince = ({ snapshot }: Source): number => new Date(snapshot.created_at).getTime();

type OpenTables = Awaited<ReturnType<typeof openTables>>;
/** The thread, and an encoder that is open in it, under its number there. */
type Opened = { readonly thread: OpenTables['thread']; readonly encoder: number };

/** The data alone: no encoder has the number 0. */
const dataAlone: Unit<OpenTables, Opened> = {
  id: 'data',
  use: ({ thread }, work) => work({ thread, encoder: 0 }),
};

/** Encoders of which it is remembered what was searched. */
const searchedMax = 1_000;

/**
 * Keeps encoders, and the tables that they read, open in this process, in about `memoryMb` together. While new data are
 * opened, answers come from those before.
 */
export function openEmbeddings(db: Database, storage: Storage, workFolder: string, memoryMb: number): Embeddings {
  const opened = keepOpen<OpenTables>(openDataMax, undefined, memoryMb);
  const generations = openGenerations<OpenTables, Opened, Source>(opened, memoryMb);

  const searchedAt = new Map<string, number>();

  const dataOf = ({ snapshot, names }: Source) => ({
    key: `${snapshot.id} ${names}`,
    line: lineOf(names),
    weightMb: snapshotMb(Number(snapshot.frozen_bytes)),
    open: async () => openTables(await localSnapshot(storage, snapshot, names)),
  });

  const encoderOf = (ctx: Context, version: RfmVersionRow): Unit<OpenTables, Opened> => {
    const { gfm_version_id: gfm } = version;
    const place = async () => ({
      folder: await placeVersion(storage, workFolder, version.id, {
        prefix: version.storage_prefix,
        files: version.files,
      }),
      graphModel: gfm === null ? null : await placeGfm({ db, storage }, ctx, workFolder, gfm),
      searchedAt: searchedAt.get(version.id) ?? null,
    });
    return {
      id: version.id,
      use: ({ thread, useEncoder }, work) => useEncoder(version.id, place, (encoder) => work({ thread, encoder })),
    };
  };

  async function readSource(tx: Tx, ctx: Context): Promise<Source | null> {
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) return null;
    requireOpenable(Number(snapshot.frozen_bytes), memoryMb);
    return { snapshot, names: await currentIdentifiers(tx, ctx) };
  }

  async function read(ctx: Context, asked: AskedEncoder) {
    const { version, source } = await tenant(db, ctx, async (tx) => ({
      version: await (asked.rfm_version_id === undefined
        ? newestOf(tx, asked.entity)
        : requireRfmVersion(tx, asked.rfm_version_id)),
      source: await readSource(tx, ctx),
    }));
    if (!source) throw refuse('no_data', 'the workspace has no data yet');
    return { version, source };
  }

  return {
    async use(ctx, asked, work) {
      let { version, source } = await read(ctx, asked);
      const ask = () => {
        const encoder = encoderOf(ctx, version);
        return {
          ...{ workspaceId: ctx.workspaceId, state: source, servedSince: servedSince(source) },
          ...{ dataOf, unitOf: () => encoder, newUnits: () => [], accepts: () => true },
        };
      };
      const askAgain = async () => {
        ({ version, source } = await read(ctx, asked));
        return ask();
      };
      return openStored(storage, `The data or the encoder ${version.id}`, () =>
        generations.use(ask(), askAgain, ({ unit: { thread, encoder } }) =>
          work({
            version,
            embed: (keys, at) => thread.call('embed', { encoder, keys, at }),
            nearest: (search) => {
              searchedAt.delete(version.id);
              searchedAt.set(version.id, search.at);
              if (searchedAt.size > searchedMax) searchedAt.delete(searchedAt.keys().next().value!);
              return thread.call('nearest', { ...search, encoder });
            },
            layOut: (most, at) => thread.call('layOut', { encoder, most, at }),
          }),
        ),
      );
    },
    async useData(ctx, work) {
      const ask = async () => {
        const state = await tenant(db, ctx, (tx) => readSource(tx, ctx));
        return (
          state && {
            ...{ workspaceId: ctx.workspaceId, state, servedSince: servedSince(state) },
            ...{ dataOf, unitOf: () => dataAlone, newUnits: () => [], accepts: () => true },
          }
        );
      };
      const first = await ask();
      if (!first) return null;
      return openStored(storage, 'The data', () =>
        generations.use(
          first,
          async () => (await ask()) ?? first,
          ({ state, unit: { thread } }) =>
            work({
              snapshotId: state.snapshot.id,
              explore: {
                search: (asked) => thread.call('search', asked),
                require: (asked) => thread.call('require', asked),
                describe: (asked) => thread.call('describe', asked),
                around: (asked) => thread.call('around', asked),
                path: (asked) => thread.call('path', asked),
              },
            }),
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
