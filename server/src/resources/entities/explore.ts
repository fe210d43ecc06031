import type { Context } from '../../access/context.ts';
import { refuse } from '../../errors.ts';
import type { FoundEntities } from '../../ml/network/explore.ts';
import { momentOf, readableUntil } from '../../serving/as-of.ts';
import type { Embeddings, OpenData } from '../embeddings/open.ts';

export type Exploring = Pick<Embeddings, 'useData'>;

type Dated = { readonly reference_date?: string };
export type Entity = { readonly table: string; readonly key: string };

/** What an answer says of the data that it comes from. */
type About = { readonly snapshot_id: string; readonly as_of: string };

/** Most entities that a search answers. */
export const foundMax = 100;
const foundDefault = 20;
export const hopsMax = 3;
/** Most ties between the ends of a path. */
export const pathHopsMax = 4;

/**
 * Finds entities by the beginning of their keys. A workspace without data has none. Throws Failure 'not_found' for a
 * table that is not there.
 */
export async function searchEntities(
  { useData }: Exploring,
  ctx: Context,
  asked: Dated & { readonly table?: string; readonly query?: string; readonly limit?: number },
): Promise<FoundEntities & { readonly snapshot_id: string | null; readonly as_of: string }> {
  const { asOf, at } = momentFor(ctx, asked);
  const found = await useData(ctx, async ({ snapshotId, explore }) => ({
    snapshot_id: snapshotId,
    as_of: asOf,
    ...(await explore.search({
      ...(asked.table !== undefined && { table: asked.table }),
      ...{ prefix: asked.query ?? '', most: asked.limit ?? foundDefault, at },
    })),
  }));
  return found ?? { snapshot_id: null, as_of: asOf, data: [], has_more: false, is_complete: true };
}

/** Throws Failure 'not_found' where an entity is not known. */
export async function requireKnown(app: Exploring, ctx: Context, entity: Entity): Promise<void> {
  await ask(app, ctx, entity, {}, async ({ explore }, at) => {
    await explore.require({ ...entity, at });
    return {};
  });
}

/** Tells of one entity. Throws Failure 'not_found' where it was not known by then. */
export function describeEntity(app: Exploring, ctx: Context, entity: Entity, asked: Dated) {
  return ask(app, ctx, entity, asked, ({ explore }, at) => explore.describe({ ...entity, at }));
}

/** Tells who is tied to an entity. Throws Failure 'not_found'. */
export function networkOf(app: Exploring, ctx: Context, entity: Entity, asked: Dated & { readonly hops?: number }) {
  return ask(app, ctx, entity, asked, ({ explore }, at) => explore.around({ ...entity, hops: asked.hops ?? 1, at }));
}

/** Tells how two entities of a table are tied. Throws Failure 'not_found' where one of them was not known by then. */
export function pathBetween(
  app: Exploring,
  ctx: Context,
  { to, ...entity }: Entity & { readonly to: string },
  asked: Dated & { readonly hops?: number },
) {
  return ask(app, ctx, entity, asked, ({ explore }, at) =>
    explore.path({ ...entity, to, hops: asked.hops ?? pathHopsMax, at }),
  );
}

async function ask<R>(
  { useData }: Exploring,
  ctx: Context,
  { table, key }: Entity,
  asked: Dated,
  work: (data: OpenData, at: number) => Promise<R>,
): Promise<About & R> {
  const { asOf, at } = momentFor(ctx, asked);
  const found = await useData(ctx, async (data) => ({
    ...{ snapshot_id: data.snapshotId, as_of: asOf },
    ...(await work(data, at)),
  }));
  if (!found) {
    const because = { code: 'no_entity', table, key };
    throw refuse('not_found', `no ${table} has the key ${key} by then: the workspace has no data yet`, { because });
  }
  return found;
}

function momentFor(ctx: Context, { reference_date }: Dated): { readonly asOf: string; readonly at: number } {
  const asOf = momentOf(reference_date, ctx.timeZone, Date.now(), '/query/reference_date');
  return { asOf: new Date(asOf).toISOString(), at: readableUntil(ctx.timeZone, asOf) };
}
