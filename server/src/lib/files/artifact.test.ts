import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArtifactKind, hashFiles, type Manifest, openArtifact, readManifest, writeArtifact } from './artifact.ts';

type RecipeManifest = Manifest & { readonly dish: string };

const recipe: ArtifactKind<RecipeManifest> = {
  manifest: 'recipe.json',
  format: 2,
  isOwn: (manifest): manifest is RecipeManifest => 'dish' in manifest,
  says: {
    exists: 'is there',
    absent: 'has no recipe.json',
    unreadable: 'is not JSON',
    foreign: 'is of something else',
    changed: 'is not what was written',
  },
};
/** Longer than the block that is hashed at once. */
const long = Buffer.alloc(3 * 2 ** 20 + 1, 'flour');

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lastro-artifact-'));
  folder = join(root, 'soup');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (to = folder, format = recipe.format) =>
  writeArtifact(recipe, to, async (partial) => {
    writeFileSync(join(partial, 'a.txt'), 'water');
    mkdirSync(join(partial, 'deep'));
    writeFileSync(join(partial, 'deep', 'b.bin'), long);
    return { format, dish: 'soup', files: hashFiles(partial, ['deep/b.bin', 'a.txt']) };
  });
const refusal = (code: string, message: string) => expect.objectContaining({ code, message });
const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');

test('what is written is opened, and its manifest names every file by its SHA-256', async () => {
  const id = await write();
  expect(readdirSync(root)).toEqual(['soup']);
  const text = readFileSync(join(folder, 'recipe.json'), 'utf8');
  expect(id).toBe(sha256(text));
  const files = { 'deep/b.bin': sha256(long), 'a.txt': sha256('water') };
  expect(text).toBe(`${JSON.stringify({ format: 2, dish: 'soup', files }, null, 2)}\n`);
  expect(openArtifact(recipe, folder)).toEqual({ format: 2, dish: 'soup', files });
  expect(await write(join(root, 'again'))).toBe(id);
});

test('it appears whole or not at all, also after an attempt that was killed', async () => {
  mkdirSync(join(root, '.soup.partial'));
  writeFileSync(join(root, '.soup.partial', 'left.txt'), 'x');
  await expect(
    writeArtifact(recipe, folder, async (partial) => {
      expect(readdirSync(partial)).toEqual([]);
      writeFileSync(join(partial, 'a.txt'), 'water');
      throw new Error('the disk is full');
    }),
  ).rejects.toThrow('the disk is full');
  expect(readdirSync(root)).toEqual([]);
});

test('one that is there stays as it is', async () => {
  await write();
  let isFilled = false;
  await expect(
    writeArtifact(recipe, folder, async () => {
      isFilled = true;
      return { format: 2, dish: 'other', files: {} };
    }),
  ).rejects.toThrow(refusal('conflict', `${folder} is there`));
  expect(isFilled).toBe(false);
  expect(openArtifact(recipe, folder).dish).toBe('soup');
});

test.each([
  ['a.txt', 'wates'],
  ['deep/b.bin', Buffer.concat([long, Buffer.from('x')])],
  ['a.txt', null],
])('it is refused when %s is another or gone', async (name, content) => {
  await write();
  const path = join(folder, name);
  if (content === null) rmSync(path);
  else writeFileSync(path, content);
  expect(() => openArtifact(recipe, folder)).toThrow(refusal('invalid', `${path} is not what was written`));
  expect(readManifest(recipe, folder).dish).toBe('soup');
});

test.each([
  ['{"format":', 'is not JSON'],
  ['null', 'is of something else'],
  ['[]', 'is of something else'],
  ['{"format":2,"dish":"soup"}', 'is of something else'],
  ['{"format":2,"files":{}}', 'is of something else'],
])('it is refused with the manifest %s', async (text, why) => {
  await write();
  const path = join(folder, 'recipe.json');
  writeFileSync(path, text);
  expect(() => openArtifact(recipe, folder)).toThrow(refusal('invalid', `${path} ${why}`));
});

test('it is refused in another format, and where there is none', async () => {
  await write(folder, 3);
  expect(() => openArtifact(recipe, folder)).toThrow(
    refusal('invalid', `${folder} has format 3; this program reads 2`),
  );
  const named = { ...recipe, kind: 'recipe' };
  expect(() => openArtifact(named, folder)).toThrow(
    refusal('invalid', `${folder} is of undefined, format 3; this program reads recipe, format 2`),
  );
  const nowhere = join(root, 'nowhere');
  expect(existsSync(nowhere)).toBe(false);
  expect(() => openArtifact(recipe, nowhere)).toThrow(refusal('not_found', `${nowhere} has no recipe.json`));
});
