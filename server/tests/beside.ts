/** Commands that the operator runs on the host, beside a service; test support. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestService } from './service.ts';

/** Runs a command; `body` is what it printed as JSON, null when it was refused. */
export async function runBeside({ databaseUrl, folder }: TestService, args: readonly string[]) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, LASTRO_DATA_DIR: join(folder, 'cli') };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), ...args], { env });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, err, body: code === 0 ? JSON.parse(out) : null };
}
