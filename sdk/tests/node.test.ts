/** Files of this machine: read to be sent, and written as results come. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localFile, toFile, toFolder } from '../src/node.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-node-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const text = 'score\n700\n';
function fileOf(path: string, sha256 = createHash('sha256').update(text).digest('hex'), chunks = [text]) {
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else if (chunk === 'broken') controller.error(new Error('broken'));
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    });
  return { path, sha256, rows: 1, bytes: text.length, file_id: 'file_1', download_url: '', stream };
}

test('a result is written under its path, whole', async () => {
  const file = fileOf('2026/scores.csv', undefined, ['score\n', '700\n']);
  await file.stream().pipeTo(await toFolder(folder)(file));
  expect(readFileSync(join(folder, '2026', 'scores.csv'), 'utf8')).toBe(text);
});

test('what is not what the service has, or breaks off, leaves nothing behind', async () => {
  const wrong = fileOf('wrong.csv', '00');
  await expect(wrong.stream().pipeTo(await toFolder(folder)(wrong))).rejects.toThrow('download it again');
  const broken = fileOf('broken.csv', undefined, ['score\n', 'broken']);
  await expect(broken.stream().pipeTo(await toFile(join(folder, 'broken.csv'))(broken))).rejects.toThrow('broken');
  expect(readdirSync(folder).filter((name) => /wrong|broken/.test(name))).toEqual([]);
});

test('a folder that cannot be written to is told', async () => {
  const file = fileOf('a.csv');
  await expect(file.stream().pipeTo(await toFile(join(folder, 'none', 'a.csv'))(file))).rejects.toThrow('ENOENT');
});

test.each(['../out.csv', 'a/../../out.csv'])('a path that leads out of the folder is refused: %s', async (path) => {
  await expect(toFolder(join(folder, 'in'))(fileOf(path))).rejects.toThrow('leads out of');
  expect(existsSync(join(folder, 'out.csv'))).toBe(false);
});

test('a file that is not there is told when it is to be sent', async () => {
  const file = localFile(join(folder, 'none.csv'));
  if (file instanceof Blob || typeof file.content !== 'function') throw new Error('it is opened later');
  expect(file.path).toBe('none.csv');
  await expect(Promise.resolve(file.content())).rejects.toThrow('ENOENT');
});
