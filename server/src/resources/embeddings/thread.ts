// The thread that embeds the entities of one snapshot of a workspace, and tells of them and their ties, so that
// embedding a thousand entities, or looking through all rows, delays no prediction.
import { assert } from '../../lib/failure.ts';
import { serveCalls } from '../../lib/threads/serve.ts';
import type { Tables } from '../../ml/graph/tables.ts';
import { type Identifiers, openIdentifiers } from '../../ml/lake/identifiers.ts';
import { openTables } from '../../ml/lake/open.ts';
import {
  type AskedEntity,
  type DescribedEntity,
  type Explorer,
  type FoundEntities,
  openExplorer,
  type SearchedEntities,
  type ToldNetwork,
  type ToldPath,
} from '../../ml/network/explore.ts';
import { openRfm } from '../../ml/rfm/open.ts';
import { shareGraphModels } from '../../serving/share-graph-models.ts';
import {
  byKeys,
  type Embedded,
  type EntityKey,
  type KeyedEncoder,
  type Placed,
  type Search,
  type Similar,
} from './by-keys.ts';

/**
 * Local folders of an encoder, and of the GFM version that it is composed with. `searchedAt`: the moment that was
 * searched last, which others are likely to ask about too; null if none was.
 */
export type EncoderPlace = {
  readonly folder: string;
  readonly graphModel: string | null;
  readonly searchedAt: number | null;
};

let tables: Tables | null = null;
let names: Identifiers | null = null;
let explorer: Explorer | null = null;
let last = 0;
const encoders = new Map<number, KeyedEncoder & { release(): void }>();
const acquire = shareGraphModels();

const calls = {
  async openTables(files: { frozen: string; names: string | null }): Promise<void> {
    tables = await openTables(files.frozen, files.names);
    explorer = openExplorer(tables);
    names = files.names === null ? null : await openIdentifiers(files.names);
  },
  async openEncoder({ folder, graphModel, searchedAt }: EncoderPlace): Promise<number> {
    assert(tables, 'tables are opened first');
    const { model, release } =
      graphModel === null ? { model: undefined, release: () => {} } : await acquire(graphModel);
    try {
      const rfm = await openRfm(folder, tables, model);
      const keyed = byKeys(rfm, tables.get(rfm.entity)!, names);
      keyed.warmUp(searchedAt);
      encoders.set(++last, { ...keyed, release });
      return last;
    } catch (error) {
      release();
      throw error;
    }
  },
  closeEncoder(encoder: number): void {
    encoders.get(encoder)?.release();
    encoders.delete(encoder);
  },
  embed: ({ encoder, keys, at }: { encoder: number; keys: readonly EntityKey[]; at: number }): Embedded =>
    encoderOf(encoder).embed(keys, at),
  nearest: ({ encoder, ...search }: Search & { readonly encoder: number }): Similar[] | null =>
    encoderOf(encoder).nearest(search),
  layOut: ({ encoder, most, at }: { encoder: number; most: number; at: number }): Placed =>
    encoderOf(encoder).layOut(most, at),
  search: (asked: SearchedEntities): FoundEntities => exploring().search(asked),
  require: (asked: AskedEntity): void => exploring().require(asked),
  describe: (asked: AskedEntity): DescribedEntity => exploring().describe(asked),
  around: (asked: AskedEntity & { hops: number }): ToldNetwork => exploring().around(asked),
  path: (asked: AskedEntity & { to: string; hops: number }): ToldPath => exploring().path(asked),
};
export type EmbeddingCalls = typeof calls;

function exploring(): Explorer {
  assert(explorer, 'tables are opened first');
  return explorer;
}

function encoderOf(encoder: number): KeyedEncoder {
  const opened = encoders.get(encoder);
  assert(opened, `encoder ${encoder} is open`);
  return opened;
}

serveCalls(calls);
