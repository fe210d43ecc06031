/** Commands that the operator runs on the host, beside a service; test support. */
import { join } from 'node:path';
import { runCommand } from '../src/commands/run.ts';
import type { TestService } from './service.ts';

/**
 * Runs a command in this process, which is cheaper than a program of its own; `body` is what it printed as JSON, null
 * when it was refused.
 */
export async function runBeside({ databaseUrl, folder }: TestService, args: readonly string[]) {
  const own = { DATABASE_URL: databaseUrl, LASTRO_DATA_DIR: join(folder, 'cli') };
  const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]));
  let out = '';
  const said: string[] = [];
  Object.assign(process.env, own);
  try {
    const code = await runCommand(args, { write: (text: string) => (out += text) }, (line) => said.push(line));
    return { code, err: said.join('\n'), body: code === 0 ? JSON.parse(out) : null };
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
