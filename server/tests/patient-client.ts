/** A caller of a service whose processes die, freeze and are cut off: it asks until it is answered; test support. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { checkDeclared, checkProblem } from './problems.ts';
import type { Reply } from './service.ts';

export type PatientClient = {
  /** With a key of its own, a request has one effect however often it is sent. */
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  upload(path: string, bytes: Buffer): Promise<string>;
  /** Waits until work is over. */
  finished(path: string): Promise<Reply>;
  /** Paths of what was acknowledged. */
  readonly acknowledged: string[];
};

/** A caller that hears nothing for so long asks again, where another process may answer. */
const silenceMs = 15_000;
const pauseMs = 100;
/** Of what a balancer answers itself: the request has reached no process, or was cut off there. */
const ofBalancer = 'x-balancer';

export function openPatientClient(url: string, key: string): PatientClient {
  const acknowledged: string[] = [];
  const once = async (method: string, path: string, init: RequestInit): Promise<Reply | null> => {
    const address = path.startsWith('http') ? path : `${url}${path}`;
    const hear = async (): Promise<Reply> => {
      const answer = await fetch(address, { ...init, method, signal: AbortSignal.timeout(silenceMs) });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
    };
    // Whoever was killed or cut off answers nothing, and whoever is frozen not in time.
    const reply = await hear().catch((error) => {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      return null;
    });
    if (reply === null || reply.headers.has(ofBalancer)) return null;
    if (reply.status >= 400) {
      checkProblem(reply);
      checkDeclared(method, path, reply);
    }
    return reply;
  };
  const ask = async (method: string, path: string, init: RequestInit): Promise<Reply> => {
    for (;;) {
      const reply = await once(method, path, init);
      if (reply !== null && reply.status !== 503) return reply;
      if (reply !== null) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      await sleep(pauseMs);
    }
  };
  const send: PatientClient['send'] = (method, path, body) =>
    ask(method, path, {
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    send,
    acknowledged,
    async upload(path, bytes) {
      const md5 = createHash('md5').update(bytes).digest('base64');
      const declared = await send('POST', '/v2/api/files/upload', { files: [{ path, content_type: 'text/csv', md5 }] });
      expect(declared.status, declared.text).toBe(201);
      const [{ id, upload_url, headers }] = declared.body.files;
      const put = await ask('PUT', upload_url, { headers, body: bytes as never });
      // It may have arrived, and the answer not.
      if (put.body?.code !== 'file_already_uploaded') expect(put.status, put.text).toBe(200);
      acknowledged.push(`/v2/api/files/${id}`);
      return id;
    },
    async finished(path) {
      for (;;) {
        const reply = await send('GET', path);
        expect(reply.status, `${path}: ${reply.text}`).toBe(200);
        if (!['queued', 'running'].includes(reply.body.status)) return reply;
        await sleep(pauseMs);
      }
    },
  };
}
