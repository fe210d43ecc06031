// Artifacts: folders that are never changed, in which a manifest vouches for every other file by its SHA-256.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { hashFile } from './hash.ts';
import { writeWhole } from './whole-folder.ts';

/** What every manifest has; each kind of artifact has more. */
export type Manifest = {
  readonly format: unknown;
  /** SHA-256 in hexadecimal, by path in the folder. */
  readonly files: Readonly<Record<string, string>>;
};

/** A kind of artifact, and what is said of one that cannot be written or read. */
export type ArtifactKind<M extends Manifest> = {
  /** The name of the manifest's file. */
  readonly manifest: string;
  /** The one that is written, and the only one that is read. */
  readonly format: number;
  /** Held against the manifest's own together with the format, where `isOwn` does not tell one kind from others. */
  readonly kind?: string;
  /** Whether a manifest is one of this kind, of whatever format. */
  readonly isOwn: (manifest: Manifest) => manifest is M;
  /** How sentences go on that begin with the path … */
  readonly says: {
    /** … of a folder that is to be written and is there; */
    readonly exists: string;
    /** … of a folder without a manifest; */
    readonly absent: string;
    /** … of a manifest that is not JSON; */
    readonly unreadable: string;
    /** … of a manifest that is of something else; */
    readonly foreign: string;
    /** … of a file that is not what the manifest says, or not there. */
    readonly changed: string;
  };
};

/**
 * Writes an artifact, which appears whole or not at all: `fill` writes its files into the folder that it is given, and
 * returns the manifest. Returns SHA-256 of the manifest in hexadecimal, which vouches for all. Throws Failure
 * 'conflict' when the folder exists.
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

/** Writes the manifest of a folder that is not yet whole. Returns its SHA-256 in hexadecimal. */
export function writeManifest<M extends Manifest>(kind: ArtifactKind<M>, folder: string, manifest: M): string {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(folder, kind.manifest), text);
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 of files of a folder in hexadecimal, by their paths in it and in the order given. */
export function hashFiles(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hashFile(join(folder, name))]));
}

/** The manifest of an artifact whose every file is what it says. Throws Failure 'not_found', 'invalid'. */
export function openArtifact<M extends Manifest>(kind: ArtifactKind<M>, folder: string): M {
  const manifest = readManifest(kind, folder);
  checkFiles(kind, folder, manifest);
  return manifest;
}

/** The manifest of an artifact, whatever its files. Throws Failure 'not_found', 'invalid'. */
export function readManifest<M extends Manifest>(kind: ArtifactKind<M>, folder: string): M {
  const { isOwn, says } = kind;
  const path = join(folder, kind.manifest);
  if (!existsSync(path)) throw new Failure('not_found', `${folder} ${says.absent}`);
  const text = readFileSync(path, 'utf8');
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw new Failure('invalid', `${path} ${says.unreadable}`, { cause });
  }
  if (!isManifest(manifest) || !isOwn(manifest)) throw new Failure('invalid', `${path} ${says.foreign}`);
  requireFormat(kind, folder, manifest);
  return manifest;
}

/** Throws Failure 'invalid' for a file that is not what the manifest says. */
export function checkFiles<M extends Manifest>({ says }: ArtifactKind<M>, folder: string, { files }: Manifest): void {
  for (const [name, hash] of Object.entries(files)) {
    const path = join(folder, name);
    if (!existsSync(path) || hashFile(path) !== hash) throw new Failure('invalid', `${path} ${says.changed}`);
  }
}

function requireFormat<M extends Manifest>(
  { kind, format }: ArtifactKind<M>,
  folder: string,
  found: Manifest & { readonly kind?: unknown },
): void {
  if (kind === undefined && found.format !== format)
    throw new Failure('invalid', `${folder} has format ${found.format}; this program reads ${format}`);
  if (kind !== undefined && (found.kind !== kind || found.format !== format))
    throw new Failure(
      'invalid',
      `${folder} is of ${found.kind}, format ${found.format}; this program reads ${kind}, format ${format}`,
    );
}

function isManifest(parsed: Partial<Manifest> | null): parsed is Manifest {
  return typeof parsed?.files === 'object' && parsed.files !== null;
}
