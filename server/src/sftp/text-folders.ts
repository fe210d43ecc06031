import { refuse } from '../errors.ts';
import type { Entry } from '../lib/sftp/file-tree.ts';
import type { App } from '../resources/app.ts';
import { logName } from '../resources/sftp-files/sftp-file.ts';
import { listSamples, listTold, logOf } from '../resources/sftp-files/told.ts';
import { type Folder, fileEntry, readableText } from './folder.ts';
import type { Rights } from './rights.ts';

type Text = { readonly name: string; readonly text: string; readonly modified: Date };

/** `batch/logs`: the story of each file that was put in. */
export function logsFolder(app: App, rights: Rights): Folder {
  return textFolder(async () => {
    const told = await listTold(app, await rights('view_batches', 'reads'));
    const byName = Map.groupBy(told, ({ name }) => name);
    return [...byName].map(([name, files]) => {
      const last = files.at(-1)!;
      const moments = [last.created_at, last.settled_at, last.finished_at, last.removed_at];
      const modified = new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)));
      return { name: logName(name), text: logOf(files), modified };
    });
  });
}

/** `batch/samples`: for each model in production a file with its columns and a row of examples. */
export function samplesFolder(app: App, rights: Rights): Folder {
  return textFolder(async () => listSamples(app, await rights('view_models', 'reads')));
}

function textFolder(read: () => Promise<readonly Text[]>): Folder {
  const entryOf = ({ name, text, modified }: Text): Entry => fileEntry(name, Buffer.byteLength(text), modified);
  const find = async (name: string): Promise<Text> => {
    const found = (await read()).find((one) => one.name === name);
    if (!found) throw refuse('not_found', `there is no file ${name}`);
    return found;
  };
  return {
    isWritable: false,
    list: async () => (await read()).map(entryOf),
    find: async (name) => entryOf(await find(name)),
    async openToRead(name) {
      const found = await find(name);
      return readableText(entryOf(found), found.text);
    },
  };
}
