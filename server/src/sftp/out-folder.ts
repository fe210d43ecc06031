import type { Context } from '../access/context.ts';
import { tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { Entry } from '../lib/sftp/file-tree.ts';
import type { App } from '../resources/app.ts';
import { deleteResult } from '../resources/batches/delete-result.ts';
import { rejectsName, rejectsSource, resultName, resultSource } from '../resources/sftp-files/sftp-file.ts';
import { findStory, listStories, rejectsOf, type Story } from '../resources/sftp-files/told.ts';
import { record } from '../trail/record.ts';
import { type Folder, fileEntry, readableText } from './folder.ts';
import type { Rights } from './rights.ts';
import { openStored } from './stored-file.ts';

type Result = { readonly entry: Entry; readonly batchId: string } & (
  | { readonly kind: 'result'; readonly key: string; readonly sha256: string; readonly path: string }
  | { readonly kind: 'rejects'; readonly text: string }
);

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
  const resultsOf = async (ctx: Context, { name, files }: Story): Promise<Result[]> => {
    const ended = files.filter(
      ({ batch_id, finished_at, result_deleted_at }) =>
        batch_id !== null && finished_at !== null && result_deleted_at === null,
    );
    const results: Result[] = [];
    const scored = ended.findLast(({ output_key }) => output_key !== null);
    if (scored) {
      const { output_key: key, output_sha256: sha256, output_path: path, batch_id: batchId } = scored;
      const made = resultName(name, scored.output_format!);
      const entry = fileEntry(made, Number(scored.output_bytes), scored.finished_at!);
      results.push({ kind: 'result', entry, batchId: batchId!, key: key!, sha256: sha256!, path: path! });
    }
    const last = ended.at(-1);
    if (last?.has_rejects) {
      const batchId = last.batch_id!;
      const text = await rejects(ctx, batchId);
      const entry = fileEntry(rejectsName(name), Buffer.byteLength(text), last.finished_at!);
      results.push({ kind: 'rejects', entry, batchId, text });
    }
    return results;
  };
  const find = async (ctx: Context, name: string): Promise<Result> => {
    const source = resultSource(name) ?? rejectsSource(name);
    const story = source && (await findStory(app, ctx, source));
    const found = story && (await resultsOf(ctx, story)).find(({ entry }) => entry.name === name);
    if (!found) throw refuse('not_found', `there is no result ${name}: it appears when its batch has ended`);
    return found;
  };
  const reads = () => rights('download_results', 'reads');
  return {
    isWritable: false,
    async *list() {
      for await (const stories of listStories(app, reads)) {
        const entries: Entry[] = [];
        for (const story of stories) for (const { entry } of await resultsOf(await reads(), story)) entries.push(entry);
        yield entries;
      }
    },
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
    },
  };
}
