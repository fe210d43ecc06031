/** A trail of a million entries: exported, downloaded in pieces and verified, in the memory that a tenth of it takes. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportFormat, Manifest } from '../src/trail/exported.ts';
import { sealEntries } from '../src/trail/seal.ts';
import { type SecondProcess, startSecondProcess } from './second-process.ts';
import { openClient, startTestService, type Tenant, type TestService } from './service.ts';

const [fewer, more] = [100_000, 1_000_000];
const insertedAtOnce = 50_000;
/**
 * How much more memory ten times as many entries may take at the most: garbage is collected now and then, and of entries
 * of 700 to 1,100 bytes a third kept would be more.
 */
const growthMost = 2;

let service: TestService;
let second: SecondProcess;
let tenant: Tenant;
/** The moment of a checkpoint of the fewer entries. */
let middle: string;
const folder = mkdtempSync(join(tmpdir(), 'lastro-audit-'));

beforeAll(async () => {
  const startedAt = performance.now();
  // The export runs in a process of its own, whose memory is measured.
  service = await startTestService({}, 'api');
  tenant = await service.tenant('Large');
  await fill(0, fewer);
  const { body } = await tenant.client.get('/v1/api/audit-checkpoints?limit=1');
  middle = body.data[0].at;
  await fill(fewer, more);
  console.log({ filledSeconds: Math.round((performance.now() - startedAt) / 1_000) });
  // Garbage is collected before it is all of what is measured.
  second = await startSecondProcess(service, { NODE_OPTIONS: '--max-old-space-size=256' }, 'all');
});
afterAll(async () => {
  await second?.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Leaves entries, which the sealer of the service seals. */
async function fill(from: number, to: number): Promise<void> {
  const { organizationId, workspaceId } = tenant.ctx;
  const { db, keys } = service.service.app;
  for (let at = from; at < to; at += insertedAtOnce) {
    await service.owner.pool.query(
      `insert into audit_entries (id, organization_id, workspace_id, action, outcome, actor_type, actor_id, actor_label,
        target_type, target_id, channel, ip, user_agent, request_id, data)
      select 'aud_' || lpad(n::text, 32, '0'), $1, $2, 'prediction-request', 'succeeded', 'api_key', 'key_' || n % 7,
        case n % 5 when 0 then '=SUM(A1)' else 'Ação "nightly", ' || n end, 'prediction', 'prd_' || n, 'api', '203.0.113.7',
        'client/1.0', 'req_' || n, jsonb_build_object('model_id', 'mdl_1', 'version_id', 'ver_' || n % 3)
      from generate_series($3::int, $4::int) as n`,
      [organizationId, workspaceId, at, Math.min(at + insertedAtOnce, to) - 1],
    );
    await sealEntries(db, keys.audit, { waits: true });
  }
}

/** The most memory that a process has had, in MB, since `forgetPeak`. */
const peakOf = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

type Exported = { readonly folder: string; readonly manifest: Manifest; readonly peakMb: number };

/** Exports, and downloads: of the entries a third first, as if the connection had been lost then, and the rest by Range. */
async function exportAs(format: ExportFormat, to?: string): Promise<Exported> {
  const client = openClient(second.url, tenant.client.key);
  forgetPeak(second.pid);
  const asked = await client.post('/v1/api/audit-exports', { format, ...(to && { to }) });
  expect(asked.status, asked.text).toBe(202);
  const { id } = asked.body;
  const path = `/v1/api/audit-exports/${id}`;
  const done = await client.finished(path);
  expect(done.body.status, done.text).toBe('succeeded');
  const into = join(folder, id);
  mkdirSync(into);
  const manifest = await client.get(`${path}/manifest`);
  writeFileSync(join(into, `${id}.manifest.json`), manifest.text);
  const file = join(into, `${id}.${format}`);
  const { bytes } = done.body.entries;
  await fetchInto(file, `${path}/entries`, Math.floor(bytes / 3));
  await fetchInto(file, `${path}/entries`);
  expect(statSync(file).size).toBe(bytes);
  return { folder: into, manifest: manifest.body ?? JSON.parse(manifest.text), peakMb: peakOf(second.pid) };
}

/** Adds what a file is without, or so many bytes of it, after which the caller hangs up. */
async function fetchInto(file: string, path: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const had = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const reply = await fetch(`${second.url}${path}`, {
    headers: { authorization: `Bearer ${tenant.client.key}`, ...(had > 0 && { range: `bytes=${had}-` }) },
  });
  expect(reply.status).toBe(had > 0 ? 206 : 200);
  let left = most;
  for await (const part of reply.body!) {
    appendFileSync(file, part.subarray(0, left));
    left -= part.length;
    if (left <= 0) return;
  }
}

/** Runs `lastro audit verify` in a process of its own. */
async function verify(path: string): Promise<{ code: number; text: string; peakMb: number }> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'audit', 'verify', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  let peakMb = 0;
  const watching = setInterval(() => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    try {
      peakMb = Math.max(peakMb, peakOf(child.pid!));
    } catch {
      // It ended meanwhile.
    }
  }, 50);
  const [code] = await once(child, 'close');
  clearInterval(watching);
  return { code, text, peakMb };
}

/** Exports, and holds the files against the manifest and its signatures; returns what it took. */
async function look(format: ExportFormat, to?: string) {
  const startedAt = performance.now();
  const { folder, manifest, peakMb: exportingMb } = await exportAs(format, to);
  const exportedAt = performance.now();
  const { file, sha256, bytes, end_index: entries } = manifest.entries;
  const hash = createHash('sha256');
  for await (const part of createReadStream(join(folder, file))) hash.update(part);
  expect(hash.digest('hex')).toBe(sha256);
  const { code, text, peakMb: verifyingMb } = await verify(folder);
  expect([code, text]).toEqual([0, expect.stringContaining(`leaves 0 to ${entries - 1}`)]);
  const seconds = [exportedAt - startedAt, performance.now() - exportedAt].map((ms) => Math.round(ms / 1_000));
  return { format, entries, megabytes: Math.round(bytes / 1e6), exportingMb, verifyingMb, seconds };
}

test('E67: a million entries are exported, resumed by Range and verified in the memory that a tenth of them takes', async () => {
  const [small, ...large] = [await look('csv', middle), await look('csv'), await look('ndjson')] as const;
  expect(small.entries).toBeGreaterThanOrEqual(fewer);
  expect(small.entries).toBeLessThan(fewer + 1_000);
  console.log(small, ...large);
  for (const one of large) {
    expect(one.entries).toBeGreaterThanOrEqual(more);
    expect(one.exportingMb / small.exportingMb).toBeLessThan(growthMost);
    expect(one.verifyingMb / small.verifyingMb).toBeLessThan(growthMost);
  }
});
