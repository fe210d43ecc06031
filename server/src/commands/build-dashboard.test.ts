import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDashboard } from '../dashboard.ts';
import { buildDashboard } from './build-dashboard.ts';

let project: string;
let said: string[];
const inProject = (path: string) => join(project, path);
const write = (path: string, text: string) => {
  mkdirSync(join(inProject(path), '..'), { recursive: true });
  writeFileSync(inProject(path), text);
};

/** Copies the page, and notes that it was run. */
const builder = `
import { appendFileSync, cpSync, mkdirSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
cpSync('index.html', 'dist/index.html');
appendFileSync('../runs', '.');
`;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'lastro-project-'));
  said = [];
  write('package-lock.json', '{}');
  write('sdk/src/client.ts', 'export {};');
  write('dashboard/build.ts', builder);
  write('dashboard/index.html', 'first');
  write('dashboard/node_modules/vite/package.json', '{"main":"index.js"}');
  write('dashboard/node_modules/vite/index.js', '');
});
afterEach(() => rmSync(project, { recursive: true }));

const start = async (stop = new AbortController().signal) => {
  const dashboard = openDashboard(inProject('dashboard/dist'));
  await buildDashboard(dashboard, (line) => said.push(line), stop, project);
  return dashboard;
};
const runs = () => (existsSync(inProject('runs')) ? readFileSync(inProject('runs'), 'utf8').length : 0);
const head = { url: '/', headers: { accept: 'text/html' } };
const pageOf = async (dashboard: ReturnType<typeof openDashboard>) =>
  String((await dashboard.answer(head))?.body ?? '');

test('what is missing is built and served, and what is built is left alone, whatever the times of files say', async () => {
  expect(await pageOf(await start())).toBe('first');
  utimesSync(inProject('dashboard/index.html'), new Date(), new Date(Date.now() + 60_000));
  expect(await pageOf(await start())).toBe('first');
  expect([runs(), said]).toEqual([1, ['building the dashboard']]);
});

test.each([
  ['dashboard/index.html', 2],
  ['dashboard/src/pages/new.ts', 2],
  ['sdk/src/client.ts', 2],
  ['package-lock.json', 2],
  ['dashboard/tests/pages.test.ts', 1],
  ['dashboard/src/routes.gen.ts', 1],
])('after a change of %s there are %i builds', async (path, builds) => {
  await start();
  write(path, 'second');
  await start();
  expect(runs()).toBe(builds);
});

test('the page of the build before is served until the new one is there', async () => {
  await start();
  write('dashboard/index.html', 'second');
  const dashboard = openDashboard(inProject('dashboard/dist'));
  const building = buildDashboard(dashboard, () => {}, new AbortController().signal, project);
  expect(await pageOf(dashboard)).toBe('first');
  await building;
  expect(await pageOf(dashboard)).toBe('second');
});

test('two processes that start at once build it once, and one that was killed keeps nobody out', async () => {
  const both = await Promise.all([start(), start()]);
  expect(await Promise.all(both.map(pageOf))).toEqual(['first', 'first']);
  expect(runs()).toBe(1);
  write('dashboard/index.html', 'second');
  write('dashboard/node_modules/.build', '999999999');
  expect(await pageOf(await start())).toBe('second');
});

test('a lock that names nobody yet is held, and no process lets go of that of another', async () => {
  const lock = 'dashboard/node_modules/.build';
  write(lock, '');
  const stop = new AbortController();
  const waiting = start(stop.signal);
  stop.abort();
  await waiting;
  expect([existsSync(inProject(lock)), runs()]).toEqual([true, 0]);
  rmSync(inProject(lock));
  const building = start();
  write(lock, '1');
  await building;
  expect(readFileSync(inProject(lock), 'utf8')).toBe('1');
});

test('what cannot be built is said in one line, and the service goes on without', async () => {
  write('dashboard/build.ts', 'throw new TypeError("a page is broken")');
  expect(await (await start()).answer(head)).toBe(null);
  expect(said).toEqual([
    'building the dashboard',
    'there is no dashboard: it could not be built: TypeError: a page is broken (npm run build -w dashboard says it at length)',
  ]);
});

test('what Vite cannot build is named, however long it speaks of it', async () => {
  const vite = inProject('dashboard/node_modules/vite');
  rmSync(vite, { recursive: true });
  const installed = new URL('../../../node_modules/vite', import.meta.url);
  symlinkSync(fileURLToPath(installed), vite, 'junction');
  write(
    'dashboard/build.ts',
    'import { build } from "vite";\nawait build({ root: import.meta.dirname, logLevel: "warn" });',
  );
  write('dashboard/index.html', '<script type="module" src="./page.js"></script>');
  write('dashboard/page.js', Array.from({ length: 30 }, (_, n) => `${'import'} "./gone-${n}.js";`).join('\n'));
  await start();
  expect(said[1]).toMatch(
    /^there is no dashboard: it could not be built: \[UNRESOLVED_IMPORT\] Could not resolve '.\/gone-/,
  );
});

test('without vite nothing is built; without sources nothing is said', async () => {
  rmSync(inProject('dashboard/node_modules'), { recursive: true });
  await start();
  expect(said).toEqual(['there is no dashboard: vite, which builds it, is not installed']);
  write('dashboard/dist/index.html', 'shipped');
  expect(await pageOf(await start())).toBe('shipped');
  rmSync(inProject('dashboard'), { recursive: true });
  await start();
  expect([said.length, runs()]).toEqual([1, 0]);
});

test('a stop ends a build that never ends', async () => {
  write('dashboard/build.ts', 'setInterval(() => {}, 1_000);');
  const stop = new AbortController();
  const started = start(stop.signal);
  stop.abort();
  await started;
  expect(said).toEqual(['building the dashboard']);
});
