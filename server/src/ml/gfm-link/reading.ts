import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { readManifest } from '../../lib/files/artifact.ts';
import { hashFile } from '../../lib/files/hash.ts';
import { type Gfm, gfmArtifact, openGfm } from '../gfm/version.ts';
import type { GraphLink } from './link.ts';

/** A graph model that a version reads, and how. It is asked of no other than this one. */
export type GraphReading = {
  /** SHA-256 of the model's manifest, which vouches for all its files. */
  readonly id: string;
  readonly modelSnapshot: string;
  readonly link: GraphLink;
};

export type OpenGraphModel = { readonly gfm: Gfm; readonly id: string };

/** A graph model to be read, and how rows lead there. */
export type LinkedGraphModel = { readonly model: OpenGraphModel; readonly link: GraphLink };

/** Opens a version of the graph model to be read by others. Throws Failure as `openGfm` does. */
export async function openGraphModel(folder: string): Promise<OpenGraphModel> {
  return { gfm: await openGfm(folder), id: graphModelId(folder) };
}

/** What is kept of a graph model to know it again: SHA-256 of its manifest. Throws Failure 'not_found', 'invalid'. */
export function graphModelId(folder: string): string {
  readManifest(gfmArtifact, folder);
  return hashFile(join(folder, gfmArtifact.manifest));
}

/** What is kept of a graph model with what reads it. */
export function readingOf({ model: { gfm, id }, link }: LinkedGraphModel): GraphReading {
  return { id, modelSnapshot: gfm.modelSnapshot, link };
}

/**
 * The graph model that `reader` reads (`the version`, `the encoder`), if it is the one given: vectors of another mean
 * something else. Throws Failure 'invalid'.
 */
export function requireModel(
  { id, modelSnapshot }: GraphReading,
  given: OpenGraphModel | undefined,
  reader: string,
): Gfm {
  if (!given)
    throw new Failure(
      'invalid',
      `${reader} reads vectors of the graph model ${modelSnapshot}: give its folder (--gfm)`,
    );
  if (given.id !== id)
    throw new Failure(
      'invalid',
      `${reader} reads vectors of the graph model ${modelSnapshot}, and was given ${given.gfm.modelSnapshot} (manifest ${given.id.slice(0, 12)}, not ${id.slice(0, 12)})`,
    );
  return given.gfm;
}
