import type { NoteSigner } from '../lib/crypto/signed-note.ts';

/** What a checkpoint says of a tree, at a moment. */
export type Checkpoint = {
  readonly tree: string;
  readonly size: number;
  readonly root: Buffer;
  /** In UTC, with milliseconds. */
  readonly at: string;
};

/** Before the id of a tree, in the first line of its checkpoints. */
const origin = 'lastro.audit/';

/** A checkpoint as a signed note in the form of C2SP's tlog-checkpoint, with the moment as its one extension line. */
export function signCheckpoint(signer: NoteSigner, { tree, size, root, at }: Checkpoint): string {
  return signer.sign(`${origin}${tree}\n${size}\n${root.toString('base64')}\nat ${at}\n`);
}

/** Reads the text of a checkpoint; null for another text. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [first, size, root, at, end, ...rest] = text.split('\n');
  if (!first?.startsWith(origin) || !/^(0|[1-9]\d{0,15})$/.test(size ?? '') || end !== '' || rest.length > 0)
    return null;
  const bytes = Buffer.from(root!, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== root || !at!.startsWith('at ')) return null;
  return { tree: first.slice(origin.length), size: Number(size), root: bytes, at: at!.slice('at '.length) };
}
