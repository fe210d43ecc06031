// Artifacts: folders that never change. The manifest of an artifact lists the SHA-256 of every other file in it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { hashFile } from './hash.ts';
import { writeWhole } from './whole-folder.ts';

/** The fields of every manifest; each kind of artifact adds its own. */
export type Manifest = {
  readonly format: unknown;
  /** SHA-256 of each file in hexadecimal, by its path in the folder. */
  readonly files: Readonly<Record<string, string>>;
};

/** A kind of artifact, with the messages for those that cannot be written or read. */
export type ArtifactKind<M extends Manifest> = {
  /** The name of the manifest's file. */
  readonly manifest: string;
  /** The format that is written, and the only one that is read. */
  readonly format: number;
  /** When set, a manifest must have this `kind` besides the format. Needed where `isOwn` accepts more than one kind. */
  readonly kind?: string;
  /** Whether a manifest is of this kind, in any format. */
  readonly isOwn: (manifest: Manifest) => manifest is M;
  /** Ends of the error messages that begin with a path: */
  readonly says: {
    /** the folder to write exists already; */
    readonly exists: string;
    /** the folder has no manifest; */
    readonly absent: string;
    /** the manifest is not JSON; */
    readonly unreadable: string;
    /** the manifest is of something else; */
    readonly foreign: string;
    /** a file is missing, or differs from its hash in the manifest. */
    readonly changed: string;
  };
};

/**
 * Writes an artifact, which appears whole or not at all. `fill` writes the files into the folder that it is given, and
 * returns the manifest. Returns the SHA-256 of the manifest in hexadecimal, which covers all files through their
 * hashes. Throws Failure 'conflict' when the folder exists.
 */
export async function writeArtifact<M extends Manifest>(
  kind: ArtifactKind<M>,
  folder: string,
  fill: (partial: string) => Promise<M>,
): Promise<string> {
  requireNew(kind, folder);
  return await writeWhole(folder, async (partial) => writeManifest(kind, partial, await fill(partial)));
}

/** Throws Failure 'conflict' when the folder exists. */
export function requireNew<M extends Manifest>({ says }: ArtifactKind<M>, folder: string): void {
  if (existsSync(folder)) throw new Failure('conflict', `${folder} ${says.exists}`);
}

/** Writes the manifest of an artifact that is not complete yet. Returns its SHA-256 in hexadecimal. */
export function writeManifest<M extends Manifest>(kind: ArtifactKind<M>, folder: string, manifest: M): string {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(folder, kind.manifest), text);
  return createHash('sha256').update(text).digest('hex');
}

/** The SHA-256 of files of a folder in hexadecimal, by their paths in it and in the order given. */
export function hashFiles(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hashFile(join(folder, name))]));
}

/** Reads the manifest of an artifact and checks the hash of every file. Throws Failure 'not_found', 'invalid'. */
export function openArtifact<M extends Manifest>(kind: ArtifactKind<M>, folder: string): M {
  const manifest = readManifest(kind, folder);
  checkFiles(kind, folder, manifest);
  return manifest;
}

/** Reads the manifest of an artifact without checking its files. Throws Failure 'not_found', 'invalid'. */
export function readManifest<M extends Manifest>(kind: ArtifactKind<M>, folder: string): M {
  const { isOwn, says } = kind;
  const path = join(folder, kind.manifest);
  if (!existsSync(path)) throw damaged('not_found', `${folder} ${says.absent}`);
  const text = readFileSync(path, 'utf8');
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw damaged('invalid', `${path} ${says.unreadable}`, cause);
  }
  if (!isManifest(manifest) || !isOwn(manifest)) throw damaged('invalid', `${path} ${says.foreign}`);
  requireFormat(kind, folder, manifest);
  return manifest;
}

/** Throws Failure 'invalid' for a file that is missing, or whose hash is not that of the manifest. */
export function checkFiles<M extends Manifest>({ says }: ArtifactKind<M>, folder: string, { files }: Manifest): void {
  for (const [name, hash] of Object.entries(files)) {
    const path = join(folder, name);
    if (!existsSync(path) || hashFile(path) !== hash) throw damaged('invalid', `${path} ${says.changed}`);
  }
}

function requireFormat<M extends Manifest>(
  { kind, format }: ArtifactKind<M>,
  folder: string,
  found: Manifest & { readonly kind?: unknown },
): void {
  if (kind === undefined && found.format !== format)
    throw damaged('invalid', `${folder} has format ${found.format}; this program reads ${format}`);
  if (kind !== undefined && (found.kind !== kind || found.format !== format))
    throw damaged(
      'invalid',
      `${folder} is of ${found.kind}, format ${found.format}; this program reads ${kind}, format ${format}`,
    );
}

/**
 * The refusal of a folder. Its message tells the path to whoever gave it. Its reason is for those who placed the folder
 * themselves: there it is a stored object that is not what it was, and no path is told.
 */
function damaged(code: 'not_found' | 'invalid', message: string, cause?: unknown): Failure {
  return new Failure(code, message, { reason: 'object_damaged', cause });
}

function isManifest(parsed: Partial<Manifest> | null): parsed is Manifest {
  return typeof parsed?.files === 'object' && parsed.files !== null;
}
