/** Requests of every kind over and over, and what was answered; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { system } from '../src/access/transactions.ts';
import type { Client, Reply, TestService } from './service.ts';

export type Kind = 'predict' | 'read' | 'write' | 'ready';

export type Load = {
  readonly replies: readonly { readonly kind: Kind; readonly reply: Reply }[];
  /** Resolves once a request of the kind that begins from now on is answered with the status. */
  until(kind: Kind, status: number): Promise<void>;
  /** Resolves once the last request is answered; rejects with the first that had no answer at all. */
  end(): Promise<void>;
};

const pauseMs = 5;
const lists = ['/v1/api/models', '/v2/api/files', '/v1/api/ingestions', '/v1/api/training-runs'];
const md5OfNothing = '1B2M2Y8AsgTpgAmY7PhCfg==';

export function startLoad(client: Client, model: string): Load {
  const replies: { kind: Kind; reply: Reply }[] = [];
  const waiting = new Set<{ kind: Kind; status: number; round: number; resolve: () => void }>();
  let rounds = 0;
  let isOver = false;
  const asks: readonly [Kind, () => Promise<Reply>][] = [
    ...[1, 2, 3].map((c): [Kind, () => Promise<Reply>] => [
      'predict',
      () => client.post(`/v1/api/prediction/${model}/production`, { customer_id: `C${c}` }),
    ]),
    ['read', () => client.get(lists[rounds % lists.length])],
    [
      'write',
      () =>
        client.post('/v2/api/files/upload', {
          files: [{ path: 'later.csv', content_type: 'text/csv', md5: md5OfNothing }],
        }),
    ],
    ['ready', () => client.get('/readyz')],
  ];
  const loops = asks.map(async ([kind, ask]) => {
    while (!isOver) {
      const round = ++rounds;
      const reply = await ask();
      replies.push({ kind, reply });
      for (const each of waiting) {
        if (each.kind !== kind || each.round > round || each.status !== reply.status) continue;
        waiting.delete(each);
        each.resolve();
      }
      await sleep(pauseMs);
    }
  });
  const done = Promise.all(loops);
  return {
    replies,
    until: (kind, status) =>
      Promise.race([
        new Promise<void>((resolve) => waiting.add({ kind, status, round: rounds + 1, resolve })),
        done.then(() => {}),
      ]),
    async end() {
      isOver = true;
      await done;
    },
  };
}

/**
 * Refusals are 503 and say that it is the moment's fault; nothing that was answered as done is missing, and nothing
 * lacks its entry in the trail.
 */
export async function checkTrail({ service }: TestService, { replies }: Load): Promise<void> {
  const refused = replies.filter(({ reply: { status } }) => status >= 300);
  for (const { reply } of refused) {
    expect(reply.status, reply.text).toBe(503);
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const kept = await system(service.app.db, 'test', async (tx) => ({
    predictions: await tx.selectFrom('predictions').select('id').execute(),
    uploads: await tx.selectFrom('uploads').select('id').execute(),
    entries: await tx
      .selectFrom('audit_entries')
      .select('target_id')
      .where('action', 'in', ['prediction-request', 'batch-input-upload-request'])
      .execute(),
  }));
  const made = new Set([...kept.predictions, ...kept.uploads].map(({ id }) => id));
  const entries = kept.entries.map(({ target_id }) => target_id);
  expect(new Set(entries)).toEqual(made);
  expect(entries).toHaveLength(made.size);
  const answered = replies.flatMap(({ kind, reply }) =>
    reply.status >= 300
      ? []
      : kind === 'predict'
        ? [reply.body.prediction_id]
        : kind === 'write'
          ? [reply.body.id]
          : [],
  );
  expect(answered.filter((id) => !made.has(id))).toEqual([]);
}
