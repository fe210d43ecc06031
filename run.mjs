// Runs a program or a script with the project's Node 24, whatever Node started this file.
//   node run.mjs server/src/main.ts demo      a script of ours
//   node run.mjs vitest run                   a program from node_modules
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const wanted = 24;

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= wanted) return process.execPath;
  const { platform, arch } = process;
  const os = platform === 'win32' ? 'win' : platform;
  const file = platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  for (const name of [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]) {
    try {
      const binary = join(dirname(require.resolve(`${name}/package.json`)), file);
      if (existsSync(binary)) return binary;
    } catch {
      // The next name may be the one npm installed for this platform.
    }
  }
  console.error(
    `Lastro needs Node ${wanted}. npm has no binary for ${platform}-${arch}: install Node ${wanted} and run the command again.`,
  );
  process.exit(1);
}

function findProgram(name) {
  const packages = { biome: '@biomejs/biome', tsc: 'typescript' };
  // By path, since some packages do not export their package.json.
  const manifest = join(root, 'node_modules', packages[name] ?? name, 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
}

const [target, ...args] = process.argv.slice(2);
if (!target) {
  console.error('usage: node run.mjs <script.ts | program> [arguments]');
  process.exit(2);
}
const node = findNode();
const script = /\.(ts|mjs|js)$/.test(target) ? join(root, target) : findProgram(target);
const isOurs = script.endsWith('.ts');
// Half of what a short command costs is the reading of its code: kept as compiled, for it and the processes it starts.
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };
// V8 counts the memory of typed arrays, but lets a small heap grow by little: reading a large file, it would look
// through the whole heap every few megabytes, for a quarter of all time when the machine is busy.
const memory = isOurs ? ['--initial-old-space-size=128'] : [];
const child = spawn(node, [...memory, script, ...args], {
  // The channel tells a script of ours when this process is gone.
  stdio: isOurs ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  env: { ...compiled, ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
stopWithParent();
child.on('exit', (code, signal) => {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code ?? 1);
});

/** npm's shell ends by a signal that it does not pass on. What npm has started stops when it is gone. */
function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    // A signal would end the child on Windows before it could put anything in order.
    if (process.platform === 'win32' && child.connected) child.disconnect();
    else child.kill('SIGTERM');
  }, 500);
  timer.unref();
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
