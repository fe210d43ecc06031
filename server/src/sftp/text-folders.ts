import { refuse } from '../errors.ts';
import type { Entry } from '../lib/sftp/file-tree.ts';
import type { App } from '../resources/app.ts';
import { logName, logSource } from '../resources/sftp-files/sftp-file.ts';
import { findStory, listSamples, listStories, logOf, type Story } from '../resources/sftp-files/told.ts';
import { type Folder, fileEntry, readableText } from './folder.ts';
import type { Rights } from './rights.ts';

type Text = { readonly name: string; readonly text: string; readonly modified: Date };

/** A folder of texts: how all of them are read, some at a time, and the one of a name. */
type Texts = {
  list(): AsyncIterable<readonly Text[]>;
  find(name: string): Promise<Text | undefined>;
};

/** `batch/logs`: the story of each file that was put in. */
export function logsFolder(app: App, rights: Rights): Folder {
  const reads = () => rights('view_batches', 'reads');
  return textFolder({
    async *list() {
      for await (const stories of listStories(app, reads)) yield stories.map(logText);
    },
    async find(name) {
      const source = logSource(name);
      const ctx = await reads();
      const story = source && (await findStory(app, ctx, source));
      return story && logText(story);
    },
  });
}

function logText({ name, files }: Story): Text {
  const last = files.at(-1)!;
  const moments = [last.created_at, last.settled_at, last.finished_at, last.removed_at];
  const modified = new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)));
  return { name: logName(name), text: logOf(files), modified };
}

/** `batch/samples`: for each model in production a file with its columns and a row of examples. */
export function samplesFolder(app: App, rights: Rights): Folder {
  const read = async () => listSamples(app, await rights('view_models', 'reads'));
  return textFolder({
    async *list() {
      yield await read();
    },
    find: async (name) => (await read()).find((sample) => sample.name === name),
  });
}

function textFolder({ list, find }: Texts): Folder {
  const entryOf = ({ name, text, modified }: Text): Entry => fileEntry(name, Buffer.byteLength(text), modified);
  const require = async (name: string): Promise<Text> => {
    const found = await find(name);
    if (!found) throw refuse('not_found', `there is no file ${name}`);
    return found;
  };
  return {
    isWritable: false,
    async *list() {
      for await (const texts of list()) yield texts.map(entryOf);
    },
    find: async (name) => entryOf(await require(name)),
    async openToRead(name) {
      const found = await require(name);
      return readableText(entryOf(found), found.text);
    },
  };
}
