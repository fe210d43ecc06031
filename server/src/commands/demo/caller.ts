/** What a customer's program does with the API: it calls with a key, uploads files, and waits. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Calls the API and returns the body of the answer. Throws an Error with the status and detail of a refusal. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** Returns a function that calls the API with a key. `stop` aborts calls, which then throw its reason. */
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
      // When the service closes, the connection may break before the abort arrives.
      stop.throwIfAborted();
      throw error;
    });
    const value = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${String(value.detail)}`);
    return value;
  };
}

export type State = Readonly<Record<string, unknown>>;

/** Returns the newest entry of a list that satisfies `willDo`. */
export async function newest(call: Call, path: string, willDo: (state: State) => boolean): Promise<State | undefined> {
  const { data } = (await call('GET', path)) as { data: readonly State[] };
  return data.find(willDo);
}

/** Whether an ingestion or a training run has succeeded or is still under way. */
export function hasNotFailed({ status }: State): boolean {
  return status === 'succeeded' || isUnderWay(status);
}

function isUnderWay(status: unknown): boolean {
  return status === 'queued' || status === 'running';
}

/** Uploads CSV files and returns their ids. Returns the ids of earlier uploads if every path has been uploaded. */
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

/** Polls every `pollMs` until an ingestion or training run has succeeded. Throws an Error when it ends otherwise. */
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
