/** An S3 server of its own, from npm, that keeps objects in a folder and can be killed; test support. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type S3Process = { readonly port: number; kill(): Promise<void> };

/** What it asks of callers. */
export const s3Account = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;
export const s3Bucket = 'lastro';

/** Starts it; at a port that the system chooses, for 0. */
export async function startS3Process(folder: string, port = 0): Promise<S3Process> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('s3-process.mjs', import.meta.url)), folder, `${port}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [said] = await once(child.stdout, 'data');
  return {
    port: Number(String(said)),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
