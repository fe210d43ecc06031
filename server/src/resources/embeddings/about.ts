import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { GfmVersionRow } from '../gfm-versions/gfm-version.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';
import type { GraphEmbeddings } from './graph.ts';
import type { Embeddings } from './open.ts';

/** Encoders and versions of the graph model that are open in this process. */
export type Embedders = {
  readonly embeddings: Pick<Embeddings, 'use'>;
  readonly graphEmbeddings: Pick<GraphEmbeddings, 'embed' | 'nearest'>;
};

/** What answers a request for embeddings. */
export type Answering = Embedders & {
  /** Leaves the entry of a request, and its event: before the answer does. */
  readonly leaveTrail: (
    ctx: Context,
    target: { readonly type: string; readonly id: string },
    source: string,
    entities: number,
  ) => Promise<void>;
};

/** What an answer says of the encoder that it was read from. */
export function aboutRfm(version: Pick<RfmVersionRow, 'id' | 'entity'>) {
  return { source: 'rfm', entity: version.entity, rfm_version_id: version.id };
}

export function aboutGfm(version: Pick<GfmVersionRow, 'id'>) {
  return { source: 'gfm', gfm_version_id: version.id };
}

/** What says which of the one source goes with no other. Throws Failure 'invalid'. */
export function refuseForeign({
  source,
  kind,
  entity,
  rfm_version_id,
}: {
  readonly source?: 'rfm' | 'gfm';
  readonly kind?: string;
  readonly entity?: string;
  readonly rfm_version_id?: string;
}): void {
  const given = source === 'gfm' ? { entity, rfm_version_id } : { kind };
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) {
      const message = `goes with source ${source === 'gfm' ? 'rfm' : 'gfm'}`;
      throw refuse('invalid', `${name} ${message}`, { problems: [{ at: `/${name}`, message }] });
    }
}

/** The service answers, and its audit trail is told. */
export function answering(app: App, embedders: Embedders): Answering {
  return {
    ...embedders,
    leaveTrail: (ctx, target, source, entities) =>
      tenant(app.db, ctx, async (tx) => {
        await record(tx, ctx, 'embedding-request', target, { source, entities });
      }),
  };
}
