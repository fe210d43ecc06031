/** Whatever the service and its child processes write is for their user alone, whatever the umask. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from './service.ts';
import { returnsTask, shopTables, shopText } from './shop.ts';
import { takeIn } from './take-in.ts';
import { defineTask } from './train-task.ts';

let service: TestService;
let root: string;
const umask = process.umask(0);
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lastro-private-'));
  process.umask(0);
  service = await startTestService({ dataDir: join(root, 'data'), storageUrl: join(root, 'data', 'files') });
});
afterAll(async () => {
  await service.close();
  process.umask(umask);
  rmSync(root, { recursive: true, force: true });
});

/** Paths below a folder, and it, that others may read, write or enter. */
function open(folder: string, seen: Set<string>): string[] {
  const found: string[] = [];
  const look = (path: string): void => {
    // What tasks write may be gone by now.
    const { mode, isFolder } = modeOf(path);
    if (mode === null) return;
    seen.add(path);
    if ((mode & 0o077) !== 0) found.push(`${path} ${(mode & 0o777).toString(8)}`);
    if (isFolder) for (const name of namesIn(path)) look(join(path, name));
  };
  look(folder);
  return found;
}

function modeOf(path: string): { mode: number | null; isFolder: boolean } {
  const entry = statSync(path, { throwIfNoEntry: false });
  return { mode: entry?.mode ?? null, isFolder: entry?.isDirectory() ?? false };
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

test('nothing that is written while data are taken in and a model is trained is open to others', async () => {
  const data = join(root, 'data');
  const { client } = await service.tenant('Shop');
  const seen = new Set<string>();
  let isDone = false;
  const watching = (async () => {
    const found = new Set<string>();
    while (!isDone) {
      for (const path of open(data, seen)) found.add(path);
      await sleep(5);
    }
    for (const path of open(data, seen)) found.add(path);
    return [...found];
  })();
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const task = await defineTask(client, returnsTask);
  const run = await client.post('/v1/api/training-runs', { task_id: task.id });
  expect((await client.finished(`/v1/api/training-runs/${run.body.id}`)).body.status).toBe('succeeded');
  isDone = true;
  expect(await watching).toEqual([]);
  expect([...seen].filter((path) => path.includes('/work/')).length).toBeGreaterThan(5);
  expect([...seen]).toContain(join(data, 'secret'));
});
