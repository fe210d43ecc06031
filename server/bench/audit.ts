// What keeping an audit entry of each prediction, sealing it and metering it costs: the same service and requests, by
// turns with it and without.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareFigures, compareTurns, type Row } from './figures.ts';
import { findInOutput, makeRequests, readDemo, stop } from './service.ts';
import { load, type Turn } from './service-load.ts';

const turns = 4;
const turnSeconds = 6;
const connections = 32;
/** At most a quarter of the throughput. */
const target = 0.75;

/** Seeds the demo lender, then asks for about a minute. */
export async function benchAudit(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-audit-'));
  let child: ChildProcess | undefined;
  try {
    child = spawn(process.execPath, [fileURLToPath(new URL('children/unaudited.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PORT: '0', LASTRO_DATA_DIR: join(folder, 'data'), LASTRO_DEMO: '1', LOG_LEVEL: 'error' },
    });
    const said = JSON.parse(await findInOutput(child, child.stdout!, /(\{.*\})/)) as Record<string, string>;
    const { demo, documents } = await readDemo(said.audited, folder);
    const requests = makeRequests(demo, documents);
    const pid = child.pid!;
    const found: Record<'audited' | 'unaudited', Turn[]> = { audited: [], unaudited: [] };
    const names = ['audited', 'unaudited'] as const;
    for (const name of names) await load({ url: said[name], pid, requests }, { connections, seconds: 3 });
    for (let turn = 0; turn < turns; turn++)
      for (const name of turn % 2 === 0 ? names : names.toReversed())
        found[name].push(await load({ url: said[name], pid, requests }, { connections, seconds: turnSeconds }));
    const best = (of: readonly Turn[]): number => Math.max(...of.map(({ perSecond }) => perSecond));
    const costs = (of: readonly Turn[]): number[] => of.map(({ ownUs, databaseUs }) => ownUs + databaseUs);
    return [
      compareFigures('answers a second, with audit and meter vs without', best(found.audited), best(found.unaudited), {
        ...{ unit: 'per s', better: 'more', target },
        note: `best of ${turns} turns at ${connections} connections; both keep the rows of predictions`,
      }),
      compareTurns('service and PostgreSQL, with vs without', costs(found.audited), costs(found.unaudited), {
        unit: 'CPU us per answer',
      }),
    ];
  } finally {
    if (child) await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}
