/** `admin bootstrap` says on which data it acts, and begins none unless it is told to; with processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from './program.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
let program: Program | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-bootstrap-'));
  // As root, the database is run by another user, who passes through.
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  program?.child.kill('SIGTERM');
  await program?.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the operator on a data folder. */
async function admin(dataDir: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(root, 'run.mjs'), 'server/src/main.ts', 'admin', ...args], {
    env: { PATH: process.env.PATH, LASTRO_DATA_DIR: dataDir, LASTRO_COMPUTE_PROCESSES: '1', PORT: '9', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, said] = ['', ''];
  child.stdout.on('data', (block) => (out += block));
  child.stderr.on('data', (block) => (said += block));
  const [code] = await once(child, 'close');
  return { code, said, body: code === 0 ? JSON.parse(out) : null };
}

const bootstrap = (name: string, ...more: readonly string[]) => [
  ...['bootstrap', '--organization', name, '--email', `ana@${name.toLowerCase()}.example`, ...more],
];

test('a key is of the data that the command names, and of the service that has them', async () => {
  const [data, other] = [join(folder, 'data'), join(folder, 'other')];
  for (const args of [bootstrap('Acme'), ['keys', 'list']]) {
    const refused = await admin(data, args);
    expect(refused.code, refused.said).toBe(2);
    expect(refused.said).toContain(`no service has had its data in ${data} yet`);
    expect(refused.said).toContain('--new');
  }
  expect(existsSync(data)).toBe(false);

  const begun = await admin(data, bootstrap('Acme', '--new'));
  expect(begun.code, begun.said).toBe(0);
  expect(begun.said).toContain(`acting on ${data}; no service has run on it`);

  program = startProgram(data);
  const url = await program.answers;
  const beside = await admin(data, bootstrap('Umbrella'));
  expect(beside.code, beside.said).toBe(0);
  expect(beside.said.trim()).toBe(`acting on ${data}, whose service answers at ${url}`);
  const { body } = await admin(data, ['sign-in', '--email', 'ana@umbrella.example']);
  expect(body.link).toBe(`${url}/sign-in#${body.token}`);
  for (const { api_key } of [begun.body, beside.body]) {
    const { status } = await fetch(`${url}/v1/api/models`, { headers: { authorization: `Bearer ${api_key}` } });
    expect(status).toBe(200);
  }

  const elsewhere = await admin(other, bootstrap('Elsewhere', '--new'), { PORT: new URL(url).port });
  expect(elsewhere.said).toContain(`acting on ${other}; no service has run on it`);
  expect(elsewhere.said).toContain(`the service that answers at ${url} has its data elsewhere`);
});
