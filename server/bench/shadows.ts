// What a shadow at full share leaves of the time in which questions are answered.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService as startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { copyVersion } from './aliases.ts';
import { compareFigures, type Row } from './figures.ts';
import { makeRequests, readDemo, startService, stop } from './service.ts';
import { load, type Server, type Turn } from './service-load.ts';

const turns = 5;
/** Longer than what a shadow waits before it looks again, many times over. */
const seconds = 20;
const connections = 64;
const shareOfCapacity = 0.25;
const catchUpMs = 60_000;
const ratioMin = 1 / 1.2;

/** Seeds the demo lender, then asks for about six minutes by the clock: with a shadow and without one in turn. */
export async function benchShadows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-shadows-'));
  const children: ChildProcess[] = [];
  try {
    const service = await startService(folder, 'all', children);
    const { demo, documents } = await readDemo(service.url, folder);
    const server: Server = { ...service, requests: makeRequests(demo, documents) };
    const beside = await startApp(readConfig({ LASTRO_DATA_DIR: join(folder, 'data'), LASTRO_DEMO: '0' }), 'none');
    const [, copy] = await copyVersion(beside.app, demo.model_id);
    await beside.close();
    const shadow = { url: `${service.url}/v1/api/models/${demo.model_id}/shadows/${copy}`, key: demo.api_key };
    const { perSecond } = await load(server, { connections, seconds });
    const rate = Math.round(perSecond * shareOfCapacity);
    const found: Record<'alone' | 'shadowed', Turn[]> = { alone: [], shadowed: [] };
    let [asked, answered] = [0, 0];
    for (let turn = 0; turn < turns; turn++) {
      found.alone.push(await load(server, { connections, seconds, rate }));
      await ask(shadow, 'PUT', { alias: demo.alias, share: 1 });
      const shadowed = await load(server, { connections, seconds, rate });
      found.shadowed.push(shadowed);
      asked += shadowed.answers;
      answered += await answeredBy(shadow, shadowed.answers);
      await ask(shadow, 'DELETE');
    }
    const middle = (of: readonly Turn[]) => of.map(({ p99 }) => p99).sort((a, b) => a - b)[turns >> 1];
    const told = (of: readonly Turn[]) => of.map(({ p50, p99 }) => `${p50}/${p99}`).join(' ');
    return [
      compareFigures('p99 with a shadow of all, vs without', middle(found.shadowed), middle(found.alone), {
        unit: 'ms',
        target: ratioMin,
        note: `middle of ${turns} turns at ${rate}/s; p50/p99 with ${told(found.shadowed)}, without ${told(found.alone)}`,
      }),
      compareFigures('answered by the shadow too', answered, asked, { unit: 'answers', better: 'more', target: 1 }),
    ];
  } finally {
    for (const child of children.reverse()) await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Shadow = { readonly url: string; readonly key: string };

/** How many it has answered, once those are `all`, or when it has had time enough. */
async function answeredBy(shadow: Shadow, all: number): Promise<number> {
  const until = Date.now() + catchUpMs;
  for (;;) {
    const { answered } = (await (await ask(shadow, 'GET')).json()) as { readonly answered: number };
    if (answered >= all || Date.now() > until) return answered;
    await sleep(1_000);
  }
}

async function ask({ url, key }: Shadow, method: string, body?: object): Promise<Response> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
