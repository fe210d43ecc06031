import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { pageBytesMax, pageSize } from '../../api/list.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { refuse } from '../../errors.ts';
import { makeCursor, readCursor } from '../../lib/http/cursor.ts';
import { openStored } from '../../serving/open-stored.ts';
import { hasRecorded, record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { ResultPlace, readResultRows } from './reading.ts';
import { requireBatch } from './require.ts';
import { resultFiles } from './result.ts';

const example = {
  columns: ['customer_id', 'score', 'risk_band'],
  rows: 48_210,
  bands: [
    { band: 'Low Risk', rows: 31_004, unknown: 12 },
    { band: 'High Risk', rows: 17_206, unknown: 0 },
  ],
  data: [{ customer_id: '11.222.333/0001-81', score: '912', risk_band: 'Exceptional' }],
  next_cursor: null,
  has_more: false,
};

/** A page of the rows of a file of a result. */
export const resultRowsSchema = answerOf('BatchResultRows', example, {
  columns: Type.Array(Type.String(), { description: 'Of the file, in its order.' }),
  rows: Type.Integer({ description: 'How many rows of the file are told, on all pages.' }),
  bands: Type.Array(
    objectOf('BatchResultBand', {
      band: Type.String(),
      rows: Type.Integer(),
      unknown: Type.Integer({
        description:
          'How many of these are of somebody of whom nothing is known (`data_coverage` none): their band is what is usual of such, and no judgement.',
      }),
    }),
    { description: 'Of all rows of the file, how many have each `risk_band`; none of a file without it.' },
  ),
  data: Type.Array(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      title: 'BatchResultRow',
      description: 'The values by column, as the file has them: of CSV they are texts. null where there is none.',
    }),
  ),
  next_cursor: nullable(Type.String()),
  has_more: Type.Boolean(),
});

export type ResultRowsQuery = {
  readonly file_id?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly order_by?: string;
  readonly order?: string;
  readonly risk_band?: string;
  readonly warning?: string;
  readonly known?: boolean;
};

/**
 * Returns a page of the rows of a file of a result. The trail has it as a download of the file, of which it is a part,
 * once a day of who reads on in it. Throws Failure as `resultFiles` does, 'not_found', 'invalid_cursor',
 * 'invalid_parameter', 'budget_exceeded' and 'object_damaged'.
 */
export async function listResultRows(
  app: App,
  ctx: Context,
  id: string,
  {
    file_id: fileId,
    limit,
    cursor,
    order_by: orderBy,
    order = 'descending',
    risk_band: band,
    warning,
    known,
  }: ResultRowsQuery,
): Promise<Static<typeof resultRowsSchema>> {
  const list = JSON.stringify([ctx.workspaceId, 'batch result rows', id, fileId, orderBy, order, band, warning, known]);
  const after = cursor === undefined ? null : placeOf(readCursor(app.keys.cursors, list, cursor));
  const { key, sha256 } = await tenant(app.db, ctx, async (tx) => {
    const files = await resultFiles(tx, await requireBatch(tx, id));
    const file = fileId === undefined ? files[0] : files.find((file) => file.fileId === fileId);
    if (!file) throw refuse('not_found', `the result of batch ${id} has no file of ${fileId}`);
    const [target, about] = [{ type: 'batch', id } as const, { files: [file.path] }];
    if (!(await hasRecorded(tx, ctx, 'batch-result-download', target, about)))
      await record(tx, ctx, 'batch-result-download', target, about);
    return file;
  });
  const { columns, bands, total, rows, hasMore } = await openStored(app.storage, `The result of ${id}`, async () =>
    app.reading.run<typeof readResultRows>(
      {
        name: 'readResultRows',
        input: {
          ...{
            path: await app.storage.localPath(key, sha256),
            after,
            bytesMax: pageBytesMax,
            rowsMax: pageSize(limit),
          },
          ...{ orderBy: orderBy ?? null, isDescending: order === 'descending', band: band ?? null },
          ...{ warning: warning ?? null, isKnown: known ?? null },
        },
      },
      ctx.workspaceId,
    ),
  );
  const last = rows.at(-1)?.place;
  return {
    ...{ columns: [...columns], rows: total, bands: [...bands] },
    data: rows.map(({ cells }) => Object.fromEntries(columns.map((name, at) => [name, cells[at]]))),
    next_cursor: hasMore && last ? makeCursor(app.keys.cursors, list, `${last.value} ${last.position}`) : null,
    has_more: hasMore,
  };
}

function placeOf(text: string): ResultPlace {
  const [value, position] = text.split(' ').map(Number);
  return { value, position };
}
