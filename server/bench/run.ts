// Runs benchmarks and keeps what they say.
//   npm run bench -- [trees] [windows] [batch] [backtests] [growth] [program] [encoder] [gfm] [service] [aliases] [queue] [fairness] [ingestions] [workers] [learning] [lenders] [drift] [threads] [access] [audit] [webhooks] [shadows] [validations] [--long] [--keep] [--install]
// --long: growth, and a batch beside the service, to 10M rows; lenders to a million customers; learning at several cuts in time of each task.
// --keep: what learning reaches is what later runs are held against, and makes docs/how-well-it-learns.md; of lenders, docs/growth.svg is drawn.
// --install: the peers, on Debian, as root.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchAccess } from './access.ts';
import { benchAliases } from './aliases.ts';
import { benchAudit } from './audit.ts';
import { benchBacktests } from './backtests.ts';
import { benchBatch } from './batch.ts';
import { benchDrift } from './drift.ts';
import { benchEncoder } from './encoder.ts';
import { benchFairness } from './fairness.ts';
import { machineLoad, type Row, tableText } from './figures.ts';
import { benchGfm } from './gfm.ts';
import { benchGrowth } from './growth.ts';
import { benchIngestions } from './ingestions.ts';
import { benchLearning } from './learning.ts';
import { benchLenders } from './lenders.ts';
import { benchProgram } from './program.ts';
import { benchQueue } from './queue.ts';
import { benchService } from './service.ts';
import { benchShadows } from './shadows.ts';
import { benchThreads } from './threads.ts';
import { benchTrees } from './trees.ts';
import { benchValidations } from './validations.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWindows } from './windows.ts';
import { benchWorkers } from './workers.ts';

type Options = { readonly long: boolean; readonly keep: boolean };

const benches: Readonly<Record<string, (options: Options) => Promise<Row[]>>> = {
  trees: benchTrees,
  windows: benchWindows,
  drift: benchDrift,
  batch: benchBatch,
  backtests: benchBacktests,
  growth: benchGrowth,
  program: benchProgram,
  encoder: benchEncoder,
  gfm: benchGfm,
  service: benchService,
  aliases: benchAliases,
  queue: benchQueue,
  fairness: benchFairness,
  ingestions: benchIngestions,
  workers: benchWorkers,
  learning: benchLearning,
  lenders: benchLenders,
  threads: benchThreads,
  access: benchAccess,
  audit: benchAudit,
  webhooks: benchWebhooks,
  shadows: benchShadows,
  validations: benchValidations,
};
const peers = ['numpy', 'sklearn', 'xgboost', 'pandas', 'fastapi', 'uvicorn', 'uvloop', 'httptools'];
// Without OpenBLAS Debian's NumPy multiplies by the reference BLAS, which is no ceiling.
const installing = ['apt-get', 'install', '-y', 'libopenblas0', ...peers.map((name) => `python3-${name}`)];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
if (values.install) install();
for (const name of names) await runBench(name, { long: values.long, keep: values.keep });

function install(): void {
  const { status } = spawnSync(installing[0], installing.slice(1), { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function runBench(name: string, options: Options): Promise<void> {
  const loadBefore = machineLoad();
  const rows = await benches[name](options);
  const loadAfter = machineLoad();
  console.log(`\n${name}: load of the machine ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after\n`);
  console.log(tableText(rows));
  for (const row of rows) if (row.note !== '') console.log(`  ${row.name}: ${row.note}`);
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const when = new Date().toISOString();
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, loadBefore, loadAfter };
  const file = join(folder, `${name}-${when.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ bench: name, when, machine, rows }, null, 2)}\n`);
  console.log(`\nkept in ${file}`);
}
