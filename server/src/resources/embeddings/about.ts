import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { momentOf } from '../../serving/as-of.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { GfmVersionRow } from '../gfm-versions/gfm-version.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';
import type { GraphEmbeddings } from './graph.ts';
import type { Embeddings } from './open.ts';

/** The encoders and GFM versions that are open in this process. */
export type Embedders = {
  readonly embeddings: Pick<Embeddings, 'use' | 'useData'>;
  readonly graphEmbeddings: Pick<GraphEmbeddings, 'embed' | 'nearest'>;
};

/** What a request for embeddings needs. */
export type Answering = Pick<Embedders, 'graphEmbeddings'> & {
  readonly embeddings: Pick<Embeddings, 'use'>;
  readonly allowances: Pick<App['allowances'], 'require'>;
  /** Records the audit entry and the event of a request. Called before the answer is sent. */
  readonly leaveTrail: (
    ctx: Context,
    target: { readonly type: string; readonly id: string },
    source: string,
    entities: number,
  ) => Promise<void>;
};

/** The fields by which an answer names the encoder that its embeddings come from. */
export function aboutRfm(version: Pick<RfmVersionRow, 'id' | 'entity'>) {
  return { source: 'rfm', entity: version.entity, rfm_version_id: version.id };
}

export function aboutGfm(version: Pick<GfmVersionRow, 'id'>) {
  return { source: 'gfm', gfm_version_id: version.id };
}

/** Refuses parameters that only apply to the other source. Throws Failure 'invalid'. */
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

/** Answers requests in the service, with entries in its audit trail. */
export function answering(app: App, embedders: Embedders): Answering {
  return {
    ...embedders,
    allowances: app.allowances,
    leaveTrail: (ctx, target, source, entities) =>
      tenant(app.db, ctx, async (tx) => {
        await record(tx, ctx, 'embedding-request', target, { source, entities });
      }),
  };
}

const hourMs = 60 * 60 * 1000;

/**
 * The instant (milliseconds) as of which many entities are asked about: the end of a day, or without one the beginning
 * of the current hour, so that requests share what is made of it. Throws Failure 'invalid_input' and
 * 'reference_date_in_future', which name `pointer`.
 */
export function sharedMoment(
  { timeZone }: Pick<Context, 'timeZone'>,
  referenceDate: string | undefined,
  now: number,
  pointer?: string,
): number {
  return referenceDate === undefined
    ? Math.floor(now / hourMs) * hourMs
    : momentOf(referenceDate, timeZone, now, pointer);
}
