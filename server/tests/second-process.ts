/** A process of its own, beside a test service; test support. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestService } from './service.ts';

export type SecondProcess = {
  /** Where it answers: an address of HTTP, or host and port of SFTP; of a worker those of its METRICS_PORT. */
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>;
};

/** Starts it on the same database and storage, as an API process by default; resolves once it answers. */
export async function startSecondProcess(
  { folder, databaseUrl }: TestService,
  env: Readonly<Record<string, string>> = {},
  role: 'api' | 'all' | 'sftp' | 'worker' = 'api',
): Promise<SecondProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url)), role], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...{ PORT: '0', LASTRO_DEMO: '0', LASTRO_DRAIN_SECONDS: '0' },
      LASTRO_DATA_DIR: join(folder, 'second'),
      LASTRO_MASTER_SECRET: readFileSync(join(folder, 'secret'), 'utf8').trim(),
      STORAGE_URL: join(folder, 'files'),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  const url = await new Promise<string>((found, fail) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const match = /answers? at (\S+)/.exec(text);
      if (match) found(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`the second process ended with ${code}: ${text}`)));
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { url, pid: child.pid!, close: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
