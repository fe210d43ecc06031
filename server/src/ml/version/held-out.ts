import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSections, writeSections } from '../../lib/files/sections.ts';

/**
 * What models that had not learned from some rows predicted of them, for one output: of the label at each of `places`
 * among those that the version keeps. `values`: one per place, or places × classes. They are what a version can be
 * compared by on rows that its final model has learned from.
 */
export type HeldOut = { readonly places: Int32Array; readonly values: Float64Array };

export const heldOutFile = 'held-out.bin';
const heldOutKind = 'held-out';
/** The newest predictions of an output that are kept. */
export const heldOutMax = 50_000;

export async function writeHeldOut(folder: string, outputs: readonly HeldOut[]): Promise<void> {
  const sections = outputs.flatMap(({ places, values }) => [places, values]);
  await writeSections(join(folder, heldOutFile), heldOutKind, null, sections);
}

/** The held-out predictions of each output; null of versions that keep none, as those of earlier releases. */
export async function readHeldOut(folder: string): Promise<readonly HeldOut[] | null> {
  const path = join(folder, heldOutFile);
  if (!existsSync(path)) return null;
  const { sections } = await readSections(path, heldOutKind);
  return Array.from({ length: sections.length / 2 }, (_, o) => ({
    places: sections[2 * o] as Int32Array,
    values: sections[2 * o + 1] as Float64Array,
  }));
}
