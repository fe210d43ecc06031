/** docs/first-model.sh, run as it is, from files to a prediction. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from './service.ts';
import { csv, day } from './shop.ts';

const script = join(import.meta.dirname, '..', '..', 'docs', 'first-model.sh');
let service: TestService;
let client: Client;
let folder: string;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  ({ client } = await service.tenant('First'));
  folder = mkdtempSync(join(tmpdir(), 'first-model-'));
  writeShop(join(folder, 'shop'));
  mkdirSync(join(folder, 'bin'));
  // A curl that writes down what is asked for, and asks.
  const bin = join(folder, 'bin', 'curl');
  const counting = `for ARG; do case $ARG in http*) echo "$ARG" >> '${folder}/calls';; esac; done`;
  writeFileSync(bin, `#!/bin/sh\n${counting}\nPATH=$SYSTEM exec curl "$@"\n`, { mode: 0o755 });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const query = 'PREDICT NOT exists(orders) WITHIN 60d FOR customers WHERE exists(orders IN LAST 120d)';

test('it makes six calls, of which it repeats those that wait, and ends with a prediction', async () => {
  const { code, out, said } = await run(query, '{"customer_id": "C7"}');
  expect(code, said).toBe(0);
  const { prediction, prediction_id } = JSON.parse(out);
  expect(prediction).toBeGreaterThan(0);
  expect(prediction).toBeLessThan(1);
  const kept = await client.get(`/v1/api/predictions/${prediction_id}`);
  expect(kept.body).toMatchObject({ inputs: { customer_id: 'C7' }, alias: 'production' });
  const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
  expect(new Set(calls).size, calls.join('\n')).toBe(6);
});

test('without inputs it ends by saying what the model needs, and where all of it stands', async () => {
  const { code, out, said } = await runAs('second', query);
  expect(code, said).toBe(0);
  expect(out).toMatch(/\nIt needs: customer_id\n$/);
  const [address] = /http\S+\/versions\/\S+/.exec(out)!;
  const version = await client.get(new URL(address).pathname);
  expect(version.body).toMatchObject({ status: 'active' });
});

test('it ends with the reason where something is refused', async () => {
  const { code, said } = await run('PREDICT everything', '{}');
  expect(code).not.toBe(0);
  expect(said).toContain('invalid_task');
});

const run = (...args: readonly string[]) => runAs('first', ...args);

/** Runs the script; `name` is what its model is called. */
function runAs(name: string, ...args: readonly string[]): Promise<{ code: number; out: string; said: string }> {
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, SYSTEM: process.env.PATH };
  return new Promise((resolve) =>
    execFile(
      script,
      [join(folder, 'shop'), ...args],
      { env: { ...env, KEY: client.key, URL: service.url, NAME: name } },
      (error, out, said) => resolve({ code: error === null ? 0 : Number(error.code), out, said }),
    ),
  );
}

/** Customers who order every other week or so; every third of them stops in between. */
function writeShop(to: string): void {
  const customers = Array.from({ length: 120 }, (_, c) => [`C${c}`, c % 2 ? 'retail' : 'trade', day(c % 20)]);
  const orders = customers.flatMap(([id], c) => {
    const last = c % 3 === 0 ? 150 + ((c * 37) % 250) : 480;
    const times = Array.from({ length: 40 }, (_, i) => 20 + i * 12 + ((c * 7 + i * 5) % 11));
    return times.filter((at) => at < last).map((at, i) => [`O${c}-${i}`, id!, day(at), 20 + ((c + i) % 17)]);
  });
  mkdirSync(to);
  writeFileSync(join(to, 'customers.csv'), csv('customer_id,segment,since', customers));
  writeFileSync(join(to, 'orders.csv'), csv('order_id,customer_id,ordered_at,amount', orders));
}
