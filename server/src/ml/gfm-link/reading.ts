import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { readManifest } from '../../lib/files/artifact.ts';
import { hashFile } from '../../lib/files/hash.ts';
import { type Gfm, gfmArtifact, openGfm } from '../gfm/version.ts';
import type { GraphLink } from './link.ts';

/** The graph model that a version or encoder reads, and the link to it. No other graph model may be used. */
export type GraphReading = {
  /** SHA-256 of the model's manifest, which identifies all its files. */
  readonly id: string;
  readonly modelSnapshot: string;
  readonly link: GraphLink;
};

export type OpenGraphModel = { readonly gfm: Gfm; readonly id: string };

/** A graph model to read, and the link from rows to it. */
export type LinkedGraphModel = { readonly model: OpenGraphModel; readonly link: GraphLink };

/** Opens a graph model folder for reading vectors. Throws Failure as `openGfm` does. */
export async function openGraphModel(folder: string): Promise<OpenGraphModel> {
  return { gfm: await openGfm(folder), id: graphModelId(folder) };
}

/** The id of a graph model: SHA-256 of its manifest. Throws Failure 'not_found', 'invalid'. */
export function graphModelId(folder: string): string {
  readManifest(gfmArtifact, folder);
  return hashFile(join(folder, gfmArtifact.manifest));
}

/** The reference to a graph model that is stored with what reads it. */
export function readingOf({ model: { gfm, id }, link }: LinkedGraphModel): GraphReading {
  return { id, modelSnapshot: gfm.modelSnapshot, link };
}

/**
 * Returns the graph model that `reader` ('the version', 'the encoder') reads, if it is the given one: vectors of
 * another model are not comparable. Throws Failure 'invalid' otherwise.
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
