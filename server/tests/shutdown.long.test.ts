/** The service told to stop in ways that are seldom: while it starts, by npm, with nobody to listen, beside another. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  bootstrap,
  gone,
  kill,
  killAll,
  makeDataFolder,
  type Program,
  processesOf,
  removeDataFolder,
  startByNpm,
  startProgram,
} from './program.ts';
import { openClient } from './service.ts';

/** One for all tests: a database is made once. */
let folder: string;
beforeAll(() => {
  folder = makeDataFolder();
});
afterEach(() => killAll(folder));
afterAll(() => removeDataFolder(folder));

async function start(): Promise<Program & { url: string }> {
  const program = startProgram(folder);
  return { ...program, url: await program.answers };
}

async function stop(program: Program): Promise<void> {
  kill(program.pid, 'SIGTERM');
  expect(await program.ended, program.lines.join('\n')).toEqual({ code: 0, signal: null });
}

test('what is told to stop while it starts stops', async () => {
  const program = startProgram(folder);
  await program.said(/starting/);
  await stop(program);
  expect(processesOf(folder)).toEqual([]);
});

test.runIf(process.platform !== 'win32')('it stops by itself when npm, which started it, is told to stop', async () => {
  const npm = startByNpm(folder);
  await npm.answers;
  expect(processesOf(folder, npm.pid).length).toBeGreaterThan(2);
  kill(npm.pid, 'SIGTERM');
  await npm.said(/SIGTERM/);
  await gone(folder);
});

test('nobody needs to read what it says', async () => {
  const program = await start();
  program.child.stderr!.destroy();
  for (let i = 0; i < 3; i++) expect((await openClient(program.url, '').get('/readyz')).status).toBe(200);
  kill(program.pid, 'SIGTERM');
  await gone(folder);
  // Its processes are gone before its end is told here.
  if (program.child.exitCode === null && program.child.signalCode === null) await once(program.child, 'exit');
  expect(program.child.exitCode).toBe(0);
});

test('two on one folder share its database, which outlives the one that started it', async () => {
  const first = await start();
  const second = await start();
  const key = await bootstrap(folder, 'Third');
  for (const { url } of [first, second]) expect((await openClient(url, key).get('/v2/api/files')).status).toBe(200);
  await stop(first);
  const client = openClient(second.url, key);
  while ((await client.get('/readyz')).status !== 200) await sleep(50);
  expect((await client.get('/v2/api/files')).status).toBe(200);
  await stop(second);
  expect(processesOf(folder)).toEqual([]);
});
