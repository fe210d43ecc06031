/**
 * Asks a service for predictions and for its health, over and over, and tells its parent how long each answer took; test
 * support.
 *     pulse.ts <url> <key> <model>/<alias> <body>
 */
import { setTimeout as sleep } from 'node:timers/promises';

const [url, key, model, body] = process.argv.slice(2);
const pauseMs = 5;
const callersAtOnce = 2;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
let predictions: number[] = [];
let health: number[] = [];
let failures = 0;

async function ask(times: () => number[], path: string, init: RequestInit): Promise<void> {
  for (;;) {
    const began = performance.now();
    try {
      const answer = await fetch(`${url}${path}`, init);
      await answer.text();
      if (answer.status !== 200) failures++;
    } catch {
      failures++;
    }
    times().push(performance.now() - began);
    await sleep(pauseMs);
  }
}

process.on('message', () => {
  process.send!({ predictions, health, failures });
  predictions = [];
  health = [];
  failures = 0;
});
process.on('disconnect', () => process.exit());
for (let caller = 0; caller < callersAtOnce; caller++)
  void ask(() => predictions, `/v1/api/prediction/${model}`, { method: 'POST', headers, body });
void ask(() => health, '/healthz', {});
