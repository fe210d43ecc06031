/** OpenSSH's own client against the transport by SFTP. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant, TestService } from '../service.ts';
import { startShop, type Trained } from '../support/samples/batches.ts';
import { makeKeyPair, makeSftpUser } from './client.ts';

const has = spawnSync('sftp', ['-V']).error === undefined;
if (!has) process.stderr.write('\n*** OpenSSH has no sftp here: its tests are SKIPPED; install openssh-client ***\n\n');

let service: TestService;
let tenant: Tenant;
let returns: Trained;
let login: string;
const folder = mkdtempSync(join(tmpdir(), 'lastro-openssh-'));
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  if (!has) return;
  ({ service, tenant, returns } = await startShop({ sftpPort: 0 }));
  const { private: privateKey, public: publicKey } = makeKeyPair();
  ({ login } = await makeSftpUser(service, tenant, { public_keys: [publicKey] }));
  writeFileSync(at('key'), privateKey, { mode: 0o600 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.close();
});

/** Runs commands of sftp, one a line. Returns its exit code and all that it said. */
function sftp(commands: string): Promise<{ code: number; said: string }> {
  writeFileSync(at('commands'), commands);
  const options = [
    ...['-o', 'StrictHostKeyChecking=accept-new', '-o', `UserKnownHostsFile=${at('hosts')}`, '-o', 'BatchMode=yes'],
    ...['-o', 'IdentitiesOnly=yes', '-i', at('key'), '-P', String(service.service.sftpPort), '-b', at('commands')],
  ];
  return new Promise((resolve) =>
    execFile('sftp', [...options, `${login}@127.0.0.1`], { cwd: folder }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: `${out}${err}` }),
    ),
  );
}

/** Asks until a file can be got. */
async function got(path: string, to: string): Promise<string> {
  for (;;) {
    const { code } = await sftp(`get ${path} ${at(to)}`);
    if (code === 0) return readFileSync(at(to), 'utf8');
    await sleep(200);
  }
}

const rows = (count: number) =>
  `endpoint,customer_id,correlation_id\n${Array.from({ length: count }, (_, row) => `${returns.model_id}/production,C${row},r${row}`).join('\n')}\n`;

test.runIf(has)('a file is put in with its times, renamed, listed, and its result got', async () => {
  writeFileSync(at('portfolio.csv'), rows(30));
  const { code, said } = await sftp(
    `cd batch\npwd\nput -p portfolio.csv in/portfolio.csv.part\nrename in/portfolio.csv.part in/portfolio.csv\nls -l in\nls\n`,
  );
  expect(code, said).toBe(0);
  expect(said).toContain('Remote working directory: /batch');
  expect(said).toMatch(/-rw-r--r--.* portfolio\.csv/);
  expect((await got('batch/out/portfolio.result.csv', 'result.csv')).trimEnd().split('\n')).toHaveLength(31);
  expect(await got('batch/logs/portfolio.csv.log', 'log')).toContain('30 of 30 rows scored');
});

test.runIf(has)('an upload that broke off is resumed with reput', async () => {
  const text = rows(40);
  writeFileSync(at('resumed.csv'), text.slice(0, 500));
  expect((await sftp('put resumed.csv batch/in/resumed.csv.part')).code).toBe(0);
  writeFileSync(at('resumed.csv'), text);
  const { code, said } = await sftp(
    'reput resumed.csv batch/in/resumed.csv.part\nrename batch/in/resumed.csv.part batch/in/resumed.csv\n',
  );
  expect(code, said).toBe(0);
  expect(await got('batch/in/resumed.csv', 'back.csv')).toBe(text);
  expect((await got('batch/out/resumed.result.csv', 'result.csv')).trimEnd().split('\n')).toHaveLength(41);
});

test.runIf(has)('what is not allowed is refused with a reason, and nothing is left', async () => {
  writeFileSync(at('x.csv'), rows(1));
  for (const [command, why] of [
    ['put x.csv batch/out/x.csv', /denied/i],
    ['mkdir batch/in/below', /denied|failure/i],
    ['rm batch/logs/portfolio.csv.log', /denied|failure/i],
    ['get /etc/passwd', /not found|no \/etc\/passwd/i],
    ['symlink /etc/passwd batch/in/link', /denied|failure/i],
  ] as const) {
    const { code, said } = await sftp(`${command}\n`);
    expect(code, command).not.toBe(0);
    expect(said).toMatch(why);
  }
});
