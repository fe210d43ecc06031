/** What a customer's program does with the service: calls with a key, uploads, waiting. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the body of the answer. Throws an Error that says what was refused, and why. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** `stop` ends calls early, and waiting between them, with its reason. */
export function openCaller(url: string, key: string, stop: AbortSignal): Call {
  return async (method, path, body) => {
    const asked = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const answer = await fetch(`${url}${path}`, { ...asked, signal: stop }).catch((error) => {
      // A service that closes may be gone first.
      stop.throwIfAborted();
      throw error;
    });
    const value = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${String(value.detail)}`);
    return value;
  };
}

export type State = Readonly<Record<string, unknown>>;

/** The newest of a list that will do. */
export async function newest(call: Call, path: string, willDo: (state: State) => boolean): Promise<State | undefined> {
  const { data } = (await call('GET', path)) as { data: readonly State[] };
  return data.find(willDo);
}

/** Whether something that runs has succeeded, or may. */
export function hasNotFailed({ status }: State): boolean {
  return status === 'succeeded' || isUnderWay(status);
}

function isUnderWay(status: unknown): boolean {
  return status === 'queued' || status === 'running';
}

/** Declares and sends CSV files, unless all are there under their paths; returns their ids. */
export async function upload(call: Call, files: readonly { path: string; from: string }[]): Promise<string[]> {
  const bytes = files.map(({ from }) => readFileSync(from));
  const known = (await call('GET', '/v2/api/files?limit=200&status=uploaded')) as {
    data: readonly { id: string; path: string }[];
  };
  const uploaded = files.map(({ path }) => known.data.find((file) => file.path === path)?.id);
  if (uploaded.every((id) => id !== undefined)) return uploaded;
  const declared = (await call('POST', '/v2/api/files/upload', {
    files: files.map(({ path }, at) => ({
      path,
      content_type: 'text/csv',
      md5: createHash('md5').update(bytes[at]).digest('base64'),
    })),
  })) as { files: readonly { id: string; upload_url: string; headers: Record<string, string> }[] };
  for (const [at, { upload_url, headers }] of declared.files.entries()) {
    const answer = await fetch(upload_url, { method: 'PUT', headers, body: bytes[at] });
    if (!answer.ok) throw new Error(`PUT ${files[at].path}: ${answer.status} ${await answer.text()}`);
  }
  return declared.files.map(({ id }) => id);
}

/** Asks every `pollMs` until something that runs has succeeded. Throws an Error when it ends otherwise. */
export async function finished(
  call: Call,
  path: string,
  pollMs: number,
  onChange: (state: State) => void = () => {},
): Promise<State> {
  let told = '';
  for (;;) {
    const state = await call('GET', path);
    if (state.status === 'succeeded') return state;
    if (!isUnderWay(state.status)) {
      const { detail } = (state.failure ?? {}) as { detail?: string };
      throw new Error(`${path} ${state.status}${detail === undefined ? '' : `: ${detail}`}`);
    }
    const now = JSON.stringify([state.phase, state.progress]);
    if (now !== told) onChange(state);
    told = now;
    await sleep(pollMs);
  }
}
