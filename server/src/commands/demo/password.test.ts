/** The password of the demo's Creator, by which they prove themselves and sign in again after the link. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../tests/identity/browser.ts';
import { startTestService, type TestService } from '../../../tests/service.ts';
import { checkPolicy } from '../../resources/passwords/policy.ts';
import { seedDemo } from '../seed-demo.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const email = 'demo@lender.example';
const pathOf = (name: string) => join(service.folder, name);
const read = (name: string) => JSON.parse(readFileSync(pathOf(name), 'utf8'));
const write = (name: string, value: object) => writeFileSync(pathOf(name), JSON.stringify(value), { mode: 0o600 });

/** Starts the demo until it has said how to sign in, and returns what it said. */
async function start(): Promise<string> {
  const stop = new AbortController();
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    // The lines of the sign-in are said at once, and this ends what comes after them.
    if (line.startsWith('dashboard')) stop.abort();
  };
  await expect(seedDemo(service.service, service.folder, say, stop.signal)).rejects.toThrow('abort');
  return said.join('\n');
}

async function statusOf(password: string): Promise<number> {
  await service.owner.pool.query('delete from attempts');
  return (await openBrowser(service.url).post('/v1/api/sessions', { email, password })).status;
}

test('the first start gives a strong password, writes it where only the owner reads, and says where', async () => {
  const said = await start();
  expect(said).toContain(`later: ${email} with the password in ${pathOf('demo-key.json')}`);
  const { password, ...begun } = read('demo-key.json');
  expect(password).toMatch(/^([a-z0-9]{5}-){3}[a-z0-9]{5}$/);
  expect(said).not.toContain(password);
  checkPolicy(password, [email, 'demo', 'Demo Lender']);
  expect(begun.email).toBe(email);
  expect(statSync(pathOf('demo-key.json')).mode & 0o777).toBe(0o600);
  const { rows } = await service.owner.pool.query('select phc from password_credentials');
  expect(rows).toEqual([{ phc: expect.stringMatching(/^\$argon2id\$/) }]);
  expect(await statusOf(password)).toBe(201);
  await start();
  expect(read('demo-key.json').password).toBe(password);
});

test('a demo of an earlier release, which is ready and has none, gets one', async () => {
  const { email: _, password: __, ...earlier } = read('demo-key.json');
  write('demo.json', { ...earlier, model_id: 'mdl_1', example: { legal_document: '1' } });
  await service.owner.pool.query('delete from password_credentials');
  expect(await start()).toContain('later:');
  const demo = read('demo.json');
  expect([demo.email, await statusOf(demo.password)]).toEqual([email, 201]);
  expect(statSync(pathOf('demo.json')).mode & 0o777).toBe(0o600);
  // What was written down, and then not set.
  await service.owner.pool.query('delete from password_credentials');
  await start();
  expect([read('demo.json').password, await statusOf(demo.password)]).toEqual([demo.password, 201]);
});

test('a password that the person has chosen stays, and the file tells no other', async () => {
  const { password, api_key } = read('demo.json');
  const own = 'velvet Orbit 97 lampshade';
  const browser = openBrowser(service.url);
  await browser.post('/v1/api/sessions', { email, password });
  expect((await browser.send('PUT', '/v1/api/user/password', { password: own })).status).toBe(204);
  for (let time = 0; time < 2; time++) {
    expect(await start()).not.toContain('later:');
    const demo = read('demo.json');
    expect([demo.api_key, demo.email, demo.password]).toEqual([api_key, undefined, undefined]);
  }
  expect(await statusOf(own)).toBe(201);
});
