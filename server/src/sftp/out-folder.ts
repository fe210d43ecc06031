import type { Context } from '../access/context.ts';
import { tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { Entry } from '../lib/sftp/file-tree.ts';
import type { App } from '../resources/app.ts';
import { deleteResult } from '../resources/batches/delete-result.ts';
import { rejectsName, resultName } from '../resources/sftp-files/sftp-file.ts';
import { listTold, rejectsOf } from '../resources/sftp-files/told.ts';
import { record } from '../trail/record.ts';
import { type Folder, fileEntry, readableText } from './folder.ts';
import type { Rights } from './rights.ts';
import { openStored } from './stored-file.ts';

type Result = { readonly entry: Entry; readonly batchId: string } & (
  | { readonly kind: 'result'; readonly key: string; readonly sha256: string; readonly path: string }
  | { readonly kind: 'rejects'; readonly text: string }
);

/** How long a list is good: who gets a thousand results looks for each of them. */
const listedMs = 1_000;
/** Texts of rejects that are kept at hand: those of a batch that has ended never change. */
const textsMax = 32;

/** `batch/out`: for each file that was put in, the newest result under its name, and the rows that have none. */
export function outFolder(app: App, rights: Rights): Folder {
  const texts = new Map<string, string>();
  const rejects = async (ctx: Context, batchId: string): Promise<string> => {
    const known = texts.get(batchId);
    if (known !== undefined) return known;
    const text = await rejectsOf(app, ctx, batchId);
    if (texts.size >= textsMax) texts.delete(texts.keys().next().value!);
    texts.set(batchId, text);
    return text;
  };
  let listed: { readonly at: number; readonly results: Promise<Result[]> } | null = null;
  const results = (ctx: Context): Promise<Result[]> => {
    if (!listed || performance.now() - listed.at > listedMs)
      listed = { at: performance.now(), results: readResults(ctx) };
    // What could not be read is read again.
    listed.results.catch(() => {
      listed = null;
    });
    return listed.results;
  };
  const readResults = async (ctx: Context): Promise<Result[]> => {
    const newest = new Map<string, Result>();
    for (const told of await listTold(app, ctx)) {
      const { name, batch_id: batchId, finished_at: finished, result_deleted_at, output_key: key } = told;
      if (batchId === null || finished === null || result_deleted_at !== null) continue;
      const add = (result: Result) => newest.set(result.entry.name, result);
      newest.delete(rejectsName(name));
      if (key !== null) {
        const entry = fileEntry(resultName(name, told.output_format!), Number(told.output_bytes), finished);
        add({ kind: 'result', entry, batchId, key, sha256: told.output_sha256!, path: told.output_path! });
      }
      if (told.has_rejects) {
        const text = await rejects(ctx, batchId);
        const entry = fileEntry(rejectsName(name), Buffer.byteLength(text), finished);
        add({ kind: 'rejects', entry, batchId, text });
      }
    }
    return [...newest.values()].sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  };
  const find = async (ctx: Context, name: string): Promise<Result> => {
    const found = (await results(ctx)).find(({ entry }) => entry.name === name);
    if (!found) throw refuse('not_found', `there is no result ${name}: it appears when its batch has ended`);
    return found;
  };
  const reads = () => rights('download_results', 'reads');
  return {
    isWritable: false,
    list: async () => (await results(await reads())).map(({ entry }) => entry),
    find: async (name) => (await find(await reads(), name)).entry,
    async openToRead(name) {
      const ctx = await reads();
      const found = await find(ctx, name);
      if (found.kind === 'rejects') return readableText(found.entry, found.text);
      const target = { type: 'batch', id: found.batchId };
      await tenant(app.db, ctx, (tx) => record(tx, ctx, 'batch-result-download', target, { files: [found.path] }));
      return openStored(app.storage, found, found.entry, reads);
    },
    async remove(name) {
      const ctx = await rights('delete_results', 'changes');
      const found = await find(ctx, name);
      if (found.kind === 'rejects') throw refuse('forbidden', `${name} goes with the result beside it`);
      await deleteResult(app, ctx, found.batchId);
      listed = null;
    },
  };
}
