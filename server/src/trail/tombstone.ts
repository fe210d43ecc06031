import type { NoteSigner } from '../lib/crypto/signed-note.ts';

/** What is said of entries that were dropped when they were older than entries are kept. */
export type Tombstone = {
  readonly tree: string;
  /** The first and the last of their leaves, all of which are kept. */
  readonly first: number;
  readonly last: number;
  /** The root of a tree of these leaves alone. */
  readonly root: Buffer;
  /** In UTC, with milliseconds. */
  readonly at: string;
};

const origin = 'lastro.audit.tombstone/';

/** A tombstone as a signed note; no checkpoint begins as it does. */
export function signTombstone(signer: NoteSigner, { tree, first, last, root, at }: Tombstone): string {
  return signer.sign(`${origin}${tree}\n${first} ${last}\n${root.toString('base64')}\nat ${at}\n`);
}

/** Reads the text of a tombstone; null for another text. */
export function readTombstone(text: string): Tombstone | null {
  const [head, range, root, at, end, ...rest] = text.split('\n');
  const [, first, last] = /^(\d{1,16}) (\d{1,16})$/.exec(range ?? '') ?? [];
  if (!head?.startsWith(origin) || last === undefined || end !== '' || rest.length > 0) return null;
  const bytes = Buffer.from(root!, 'base64');
  if (bytes.length !== 32 || !at!.startsWith('at ')) return null;
  const tree = head.slice(origin.length);
  return { tree, first: Number(first), last: Number(last), root: bytes, at: at!.slice('at '.length) };
}
