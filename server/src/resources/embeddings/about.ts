import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import type { App } from '../app.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';
import type { GraphEmbeddings } from './graph.ts';
import type { Embeddings } from './open.ts';

/** What answers a request for embeddings. */
export type Answering = {
  readonly embeddings: Pick<Embeddings, 'use'>;
  readonly graphEmbeddings: Pick<GraphEmbeddings, 'embed'>;
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

/** The service answers, and its audit trail is told. */
export function answering(app: App): Answering {
  return {
    embeddings: app.embeddings,
    graphEmbeddings: app.graphEmbeddings,
    leaveTrail: (ctx, target, source, entities) =>
      tenant(app.db, ctx, async (tx) => {
        await record(tx, ctx, 'embedding-request', target, { source, entities });
      }),
  };
}
