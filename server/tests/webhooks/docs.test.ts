/** The examples of docs/webhooks.md read what the service sends, and refuse what it did not. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signature } from '../../src/resources/webhooks/secret.ts';

const text = readFileSync(fileURLToPath(new URL('../../../docs/webhooks.md', import.meta.url)), 'utf8');
const examples = (language: string) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, of]) => of === language).map(([, , code]) => code);

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"id":"evt_1","data":{"name":"São Paulo 🏦"}}';
const now = Math.floor(Date.now() / 1_000);
const signed = (secrets: readonly string[], timestamp: number) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature(secrets, 'msg_1', timestamp, body),
});
/** Requests, and whether they are the service's. */
const cases: readonly (readonly [object, string, boolean])[] = [
  [signed([secret], now), body, true],
  [signed([other, secret], now), body, true],
  [signed([other], now), body, false],
  [signed([secret], now - 600), body, false],
  [signed([secret], now), body.replace('evt_1', 'evt_2'), false],
  [{ ...signed([secret], now), 'webhook-id': 'msg_2' }, body, false],
];

let folder: string;
beforeAll(() => {
  // Beside the packages, so that the first example finds its own.
  folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), '.docs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the examples for Node read what is signed, and nothing else', async () => {
  const codes = examples('js');
  expect(codes).toHaveLength(2);
  for (const [at, code] of codes.entries()) {
    const file = join(folder, `example-${at}.mjs`);
    writeFileSync(file, code);
    const { read } = await import(/* @vite-ignore */ file);
    for (const [headers, sent, isOurs] of cases)
      if (isOurs) expect(read(secret, headers, sent)).toEqual(JSON.parse(body));
      else expect(() => read(secret, headers, sent)).toThrow();
  }
});

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const withoutPython = !has('python3', '--version');
const withoutGo = !has('go', 'version');
if (withoutPython) console.warn('NOT TESTED: the example for Python of docs/webhooks.md, since there is no python3');
if (withoutGo) console.warn('NOT TESTED: the example for Go of docs/webhooks.md, since there is no go');

test.skipIf(withoutPython)('the example for Python reads what is signed, and nothing else', () => {
  const [code] = examples('python');
  const file = join(folder, 'example.py');
  const run =
    'import sys\nfor headers, sent, _ in json.load(sys.stdin.buffer):\n  try:\n    read(SECRET, headers, sent.encode())\n    print("yes")\n  except ValueError:\n    print("no")\n';
  writeFileSync(file, `${code}\nSECRET = ${JSON.stringify(secret)}\n${run}`);
  const { stdout, stderr } = spawnSync('python3', [file], { input: JSON.stringify(cases), encoding: 'utf8' });
  expect(stdout.trim().split('\n'), stderr).toEqual(cases.map(([, , isOurs]) => (isOurs ? 'yes' : 'no')));
});

test.skipIf(withoutGo)('the example for Go reads what is signed, and nothing else', () => {
  const [code] = examples('go');
  const place = mkdtempSync(join(tmpdir(), 'lastro-go-'));
  const tests = cases.map(
    ([headers, sent, isOurs]) =>
      `{map[string]string{${Object.entries(headers)
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        .join(', ')}}, ${JSON.stringify(sent)}, ${isOurs}},`,
  );
  const main = `func main() {
    for _, one := range []struct{h map[string]string; b string; want bool}{${tests.join('\n')}} {
      err := verify(${JSON.stringify(secret)}, func(name string) string { return one.h[name] }, []byte(one.b))
      if (err == nil) != one.want { panic(fmt.Sprint(one, err)) }
    }
  }`;
  writeFileSync(join(place, 'main.go'), `${code}\n${main}`);
  const { status, stderr } = spawnSync('go', ['run', join(place, 'main.go')], { encoding: 'utf8' });
  rmSync(place, { recursive: true });
  expect(status, stderr).toBe(0);
});
