import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import type { App } from '../app.ts';
import type { RfmVersionRow } from '../rfm-versions/rfm-version.ts';

/** What an answer says of the encoder that it was read from. */
export function aboutRfm(version: RfmVersionRow) {
  return { source: 'rfm', entity: version.entity, rfm_version_id: version.id };
}

/** Leaves the entry of a request, and its event: before the answer does. */
export function recordRequest(
  app: App,
  ctx: Context,
  target: { readonly type: string; readonly id: string },
  source: string,
  entities: number,
): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    await record(tx, ctx, 'embedding-request', target, { source, entities });
  });
}
