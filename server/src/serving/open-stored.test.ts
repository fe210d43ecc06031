import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSections, writeSections } from '../lib/files/sections.ts';
import { openCache } from '../lib/storage/cache.ts';
import { openCopies } from './open-stored.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-stored-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a copy that is removed between its making and its opening is made again, and one that is damaged refused', async () => {
  const cache = await openCache(folder, 10 ** 9);
  const original = join(folder, 'original');
  await writeSections(original, 'kind', { name: 'a' }, []);
  const bytes = await readFile(original);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const place = () =>
    cache.path(
      'own/a',
      sha256,
      (path) => writeFile(path, bytes),
      () => expect.unreachable(),
    );
  let opened = 0;
  const read = await openCopies(async () => {
    const path = await place();
    if (opened++ === 0) await cache.forget('own', Number.POSITIVE_INFINITY);
    return readSections(path, 'kind');
  });
  expect(read.body).toEqual({ name: 'a' });
  expect(opened).toBe(2);
  await expect(openCopies(() => readSections(original, 'other'))).rejects.toMatchObject({ reason: 'object_damaged' });
});
