import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { selectTold, type ToldPlace } from './sql.ts';

/** Outcomes fetched at a time, which are held in memory. */
const atOnce = 10_000;

/**
 * Writes the decided outcomes that were told of predictions of a model, with ids from `first` to before `until`, into a
 * file: a line each, of prediction, output and value.
 */
export async function writeTold(
  db: Database,
  ctx: Context,
  asked: { readonly modelId: string; readonly first: string; readonly until: string },
  path: string,
): Promise<void> {
  const lines = async function* () {
    let after: ToldPlace | undefined = { prediction_id: '', output: '' };
    while (after) {
      const page = await tenant(db, ctx, (tx) => selectTold(tx, ctx, { ...asked, after: after!, most: atOnce }));
      for (const { line } of page) yield `${line}\n`;
      after = page.length === atOnce ? page.at(-1) : undefined;
    }
  };
  await pipeline(lines, createWriteStream(path));
}
