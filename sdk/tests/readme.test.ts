/** The examples of the README: each is compiled, and run on the node of this machine against a service. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../../server/tests/service.ts';
import { csv, day, shopText } from '../../server/tests/shop.ts';
import { takeIn } from '../../server/tests/take-in.ts';
import { trainTask } from '../../server/tests/train-task.ts';
import { repository } from '../generate/document.ts';
import { compile, findNode, type Installed, install } from './installed.ts';

const readme = readFileSync(join(repository, 'sdk', 'README.md'), 'utf8');
const known = '11222333000181';

/** Code by its heading, and by its number where a heading has several. */
const examples = new Map(
  readme.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0];
    const codes = [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
    return codes.map(([, code], at): [string, string] => [codes.length > 1 ? `${heading} ${at + 1}` : heading, code]);
  }),
);

/** Examples go on from one another: each is given what it takes as known. */
function whole(code: string): string {
  const imports = code.includes('new Lastro()') ? '' : "import { Lastro } from '@lastro/sdk';\n";
  const client = code.includes('new Lastro()') || !code.includes('lastro.') ? '' : 'const lastro = new Lastro();\n';
  const [head, ...rest] = code.split(/\n(?!import )/);
  return head.startsWith('import ') ? `${imports}${head}\n${client}${rest.join('\n')}` : `${imports}${client}${code}`;
}

let service: TestService;
let client: Client;
let installed: Installed;

beforeAll(async () => {
  installed = await install();
  service = await startTestService({ logLevel: 'fatal' });
  ({ client } = await service.tenant('Readers'));
  // The contract of the shop, whose customers have documents here.
  await takeIn(client, shopText('contract.yaml').replaceAll('customer_id', 'legal_document'), tables());
  const definition =
    'PREDICT NOT exists(orders) WITHIN 30d, 60d FOR customers WHERE exists(orders IN LAST 120d) AS credit';
  await trainTask(client, { name: 'credit', definition });
  installed.write('applications.csv', `legal_document,reference_date\n${known},2024-01-01\nC2,2024-01-01\nC3,soon\n`);
});
afterAll(async () => {
  await service.close();
  installed.remove();
});

/** Customers who order every other week or so; every third of them stops in between. */
function tables(): { customers: string; orders: string } {
  const customers = Array.from({ length: 60 }, (_, c) => [
    c === 1 ? known : `C${c}`,
    c % 2 ? 'retail' : 'trade',
    day(c % 20),
  ]);
  const orders = customers.flatMap(([id], c) => {
    const last = c % 3 === 0 ? 150 + ((c * 37) % 250) : 480;
    const times = Array.from({ length: 40 }, (_, i) => 20 + i * 12 + ((c * 7 + i * 5) % 11));
    return times.filter((at) => at < last).map((at, i) => [`O${c}-${i}`, id, day(at), 20 + ((c + i) % 17)]);
  });
  return {
    customers: csv('legal_document,segment,since', customers),
    orders: csv('order_id,legal_document,ordered_at,amount', orders),
  };
}

async function run(heading: string, { before = '', after = '', leaveAt = /$^/ } = {}): Promise<string> {
  const code = whole(examples.get(heading)!).replace(leaveAt, (line) => `{ ${line} process.exit(0); }`);
  installed.write('example.js', `${before}${stripTypeScriptTypes(code)}${after}`);
  const env = { LASTRO_API_KEY: client.key, LASTRO_BASE_URL: service.url };
  const { code: ended, out } = await installed.run(findNode(), ['example.js'], env);
  expect(ended, out).toBe(0);
  return out;
}

test('all of them compile', async () => {
  expect(examples.size).toBeGreaterThan(10);
  const names = [...examples.keys()].map((heading, at) => {
    const name = `example-${at}.ts`;
    // Each is a module of its own, whatever it declares of models.
    installed.write(name, `${whole(examples.get(heading)!)}\nexport {};\n`);
    return name;
  });
  const untyped = names.filter((_, at) => [...examples.keys()][at] !== 'Types of your models');
  const typed = names.filter((name) => !untyped.includes(name));
  for (const files of [untyped, typed]) {
    const { code, out } = await compile(installed, files, ['node']);
    expect(code, out).toBe(0);
  }
});

test('a prediction', async () => {
  expect(await run('Your first prediction 1')).toMatch(/^\d+ \w.* (Risk|Exceptional) \[/);
  expect(await run('Your first prediction 2', { after: 'console.log(explanation.length > 0);' })).toBe('true\n');
});

test('a batch in one call', async () => {
  const out = await run('A batch in one call');
  expect(out).toMatch(/^hashing \d+ \d+ null$/m);
  expect(out).toMatch(/^done 3 3 null$/m);
  expect(out).toMatch(new RegExp(`^${known} \\d+$`, 'm'));
  expect(out).toMatch(/^applications.csv 3 reference_date /m);
  expect(readdirSync(join(installed.folder, 'scores'))).toEqual(['applications.jsonl']);
});

test('every call', async () => {
  const out = await run('Every call 1');
  expect(out).toMatch(/legal_document/);
  const alias = await client.get('/v1/api/models/churn/aliases/production');
  expect(alias.body.version_id).toMatch(/^ver_/);
  expect(await run('Every call 2')).toMatch(/^2 200 req_/);
});

test('lists', async () => {
  const out = (await run('Lists')).trimEnd().split('\n');
  expect(out[0]).toMatch(/^\d+ false$/);
  expect(out.slice(1).sort()).toEqual(['churn', 'credit']);
});

test('errors', async () => {
  expect(await run('Errors')).toMatch(/^\/document /);
});

test('events', async () => {
  // The example goes on for ever: it is left at the first event, and something happens until there is one.
  const running = run('Events', { leaveAt: /console\.log\(event.*/ });
  let hasEnded = false;
  const ended = running.finally(() => {
    hasEnded = true;
  });
  const [file] = (await client.get('/v2/api/files?status=uploaded&limit=1')).body.data;
  while (!hasEnded) {
    const { body } = await client.post('/v2/api/batches', { files: [file.id], model: 'credit/production' });
    await client.finished(`/v2/api/batches/${body.id}`);
  }
  expect(await ended).toMatch(/^bat_\w+ \w+$/m);
});

test('webhooks', async () => {
  const secret = 'whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=';
  const { Webhook } = await import('standardwebhooks');
  const body = JSON.stringify({ id: 'evt_1', type: 'batch-lifecycle', data: { id: 'bat_1', status: 'succeeded' } });
  const now = new Date();
  const headers = {
    ...{ 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) },
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  const ask = (sent: string) =>
    `console.log((await receive(new Request('http://a', ${JSON.stringify({ method: 'POST', headers, body: sent })}))).status);`;
  const before = `process.env.WEBHOOK_SECRET = '${secret}';`;
  expect(await run('Webhooks', { before, after: ask(body) + ask(`${body} `) })).toBe('bat_1\n204\n400\n');
});

test('types of your models', async () => {
  await run('Types of your models', { after: 'console.log(risk_band);' });
});
