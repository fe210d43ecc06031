import { Type } from 'typebox';
import type { Tx } from '../../access/transactions.ts';
import { momentLengthMax, readMoment } from '../../api/moment.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { idsFrom } from '../../lib/crypto/ids.ts';
import { requireFile } from '../files/require.ts';
import { snapshotsOf } from '../files/snapshots.ts';
import { modelName } from '../models/model.ts';
import { modelIdOf } from '../models/require.ts';

/** Most characters of a key by which predictions are found. */
const keyLengthMax = 1_000;

const moment = (description: string) => Type.Optional(Type.String({ maxLength: momentLengthMax, description }));

/** Query parameters that narrow predictions. */
export const filterQuery = {
  model_id: Type.Optional(modelName()),
  version_id: Type.Optional(shortText()),
  alias: Type.Optional(shortText('The alias by which they were asked for.')),
  band: Type.Optional(shortText('Such as Low Risk, where answers have a risk_band.')),
  channel: Type.Optional(Type.Union([Type.Literal('api'), Type.Literal('dashboard')])),
  entity: Type.Optional(shortText('With key: the table of whom they are about.')),
  key: Type.Optional(
    Type.String({ minLength: 1, maxLength: keyLengthMax, description: 'The key of whom they are about.' }),
  ),
  file_id: Type.Optional(shortText('Those that were answered from data with rows of this file.')),
  from: moment('RFC 3339: those that were answered at that moment or later.'),
  to: moment('RFC 3339: those that were answered before that moment.'),
};

export const filterNames = Object.keys(filterQuery) as readonly (keyof typeof filterQuery)[];

export type FilterQuery = { readonly [name in keyof typeof filterQuery]?: string };

/** Values that columns of predictions have, and ids between which they lie. */
export type Filter = {
  readonly filters: Readonly<Record<string, string | undefined>>;
  /** The ids of the data that they were answered from; absent: any. */
  readonly snapshots?: readonly string[];
  readonly from: string | undefined;
  readonly until: string | undefined;
};

/** What an asked-for moment is, in milliseconds. Throws Failure 'invalid_parameter'. */
export function readSpan({ from, to }: Pick<FilterQuery, 'from' | 'to'>): { from?: number; to?: number } {
  const span = {
    ...(from !== undefined && { from: readMoment('from', from).getTime() }),
    ...(to !== undefined && { to: readMoment('to', to).getTime() }),
  };
  if (span.from !== undefined && span.to !== undefined && span.from >= span.to) {
    const message = 'must be before to';
    throw refuse('invalid_parameter', `from ${message}`, { problems: [{ at: '/query/from', message }] });
  }
  return span;
}

/** Reads the parameters of `filterQuery`. Throws Failure 'invalid_parameter', and 'not_found' of a model or file. */
export async function readFilter(tx: Tx, asked: FilterQuery): Promise<Filter> {
  const { from, to } = readSpan(asked);
  if (asked.entity !== undefined && asked.key === undefined) {
    const message = 'goes with key, which says which entity of the table';
    throw refuse('invalid_parameter', `entity ${message}`, { problems: [{ at: '/query/entity', message }] });
  }
  return {
    filters: {
      model_id: asked.model_id && (await modelIdOf(tx, asked.model_id)),
      version_id: asked.version_id,
      alias: asked.alias,
      band: asked.band,
      channel: asked.channel,
      entity_table: asked.entity,
      entity_key: asked.key,
    },
    ...(asked.file_id !== undefined && { snapshots: await snapshotsOf(tx, await requireFile(tx, asked.file_id)) }),
    from: from === undefined ? undefined : predictionsFrom(from),
    until: to === undefined ? undefined : predictionsFrom(to),
  };
}

/** What sorts before the ids of predictions that are answered at a moment (milliseconds) or later. */
export function predictionsFrom(ms: number): string {
  return idsFrom('prd', ms);
}
