// A shell runs between Node and PostgreSQL: only a separate process outlives a killed Node and can still stop the
// server.
//
// Three kernel locks tell which processes live, whatever was killed. Every process of the cluster, down to the last
// backend, holds `data.lock`. The process that will stop the cluster holds `supervised.lock`. The Node process that
// wants it to run holds the lock on the cluster's folder. A lock vanishes with its holder, so neither recycled process
// ids nor zombies can mislead. A cluster that nobody will stop is known to be an orphan, and one about to be stopped is
// not shared.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import type { Site } from './site.ts';

/** PostgreSQL's last lines that are kept for the message of a failed start. */
const lastLinesMax = 8;
/** How long these lines may still arrive after the shell has ended. */
const lastWordsMs = 200;
/**
 * A fast shutdown writes at most the shared buffers. A server that takes longer is killed, and recovers at its next
 * start.
 */
const stopTimeoutSeconds = 30;

/**
 * `holding`: this process holds the folder and may start PostgreSQL. `supervised`: another live process holds it.
 * `ending`: the process that held it is gone, and PostgreSQL is about to be stopped. `orphaned`: PostgreSQL runs there
 * or is ending, and nobody will stop it.
 */
export type Standing = (typeof standings)[number];

const standings = ['holding', 'supervised', 'ending', 'orphaned'] as const;

export type Supervisor = {
  readonly standing: Standing;
  /** Tells the shell to create the cluster if there is none, and to run PostgreSQL. */
  start(): void;
  /** Asks PostgreSQL for a fast shutdown; `ended` resolves when it has ended. */
  stop(): void;
  /** Why it ended, with PostgreSQL's last lines. */
  readonly ended: Promise<string>;
};

// Descriptor 9 is the data lock, 8 the supervisor's lock and 3 Node's lock. 4 is the pipe from Node, which ends when
// Node does. A lock belongs to the open file, so the children of this shell inherit the locks; closing 8 for PostgreSQL
// makes an orphan recognizable; and the lock on 3 stays with Node, which opened the file. A process that only looks
// takes shared locks, which do not exclude other processes that look.
//
// SIGINT asks for a fast shutdown, but PostgreSQL ignores it until its handlers are set. SIGTERM ends PostgreSQL before
// that; afterwards it only begins the slower shutdown, which SIGINT then speeds up.
const secondsToStop = Array.from({ length: stopTimeoutSeconds }, (_, second) => second).join(' ');
const script = `
cluster=$1 bin=$2 sockets=$3 durable=$4
shift 4
if command -v flock >/dev/null; then
  hold() { flock -xn "$1"; }
  isFree() { flock -sn "$1"; }
else
  lock() { perl -e 'open(my $f, "+<&=", $ARGV[0]) or exit 2; exit(flock($f, $ARGV[1]) ? 0 : 1)' "$@"; }
  hold() { lock "$1" 6; }
  isFree() { lock "$1" 5; }
fi
exec 7<"$cluster" 8>>"$cluster/supervised.lock" 9>>"$cluster/data.lock" || exit 1
hold 9
case $? in
  0) ;;
  1) if isFree 8; then echo orphaned; elif isFree 7; then echo ending; else echo supervised; fi; exit 0 ;;
  *) echo 'neither flock nor perl is installed' >&2; exit 1 ;;
esac
hold 8 && hold 3 || { echo supervised; exit 0; }
exec 3<&- 7<&-
echo holding
read -r go || exit 0
exec 4<&0 </dev/null >&2
data=$cluster/data
if [ ! -e "$data/PG_VERSION" ]; then
  rm -rf "$data.new"
  "$bin/initdb" -D "$data.new" -U lastro -A peer -E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 \\
    $durable >/dev/null 4<&- 8>&- || exit 1
  mv "$data.new" "$data" || exit 1
fi
rm -f "$data/postmaster.pid" "$sockets/.s.PGSQL.5432" "$sockets/.s.PGSQL.5432.lock"
"$bin/postgres" -D "$data" "$@" 4<&- 8>&- &
server=$!
(
  while read -r line; do :; done
  kill -TERM $server
  kill -INT $server
  exec 8>&- 9>>"$cluster/data.lock"
  for second in ${secondsToStop}; do sleep 1; hold 9 && exit; done
  kill -QUIT $server
) <&4 9>&- >/dev/null 2>&1 &
watch=$!
exec 4<&- 8>&-
wait $server
status=$?
kill -KILL $watch 2>/dev/null
exit $status
`;

/**
 * Tries to take the locks of the folder and returns its standing. PostgreSQL gets `settings` on its command line.
 * Throws `Failure('unavailable')` when the shell cannot try the locks.
 */
export async function supervise(
  site: Site,
  bin: string,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<Supervisor> {
  const isDurable = settings.fsync !== 'off';
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const folder = openSync(site.cluster, 'r');
  let isOurs = true;
  const release = () => {
    if (isOurs) closeSync(folder);
    isOurs = false;
  };
  const child = spawn(
    '/bin/sh',
    ['-c', script, 'lastro-postgres', site.cluster, bin, site.sockets, isDurable ? '' : '--no-sync', ...flags],
    {
      ...site.runAs,
      cwd: '/',
      // In a session of its own, since Ctrl-C is for Node, which then stops PostgreSQL.
      detached: true,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe', folder],
    },
  ) as ChildProcessWithoutNullStreams;
  // A message to a shell that has just ended can be lost.
  child.stdin.on('error', () => {});
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > lastLinesMax) lastLines.shift();
    log(line);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      release();
      resolve(error.message);
    });
    child.once('exit', async (code, signal) => {
      release();
      // Waits with a limit: when the shell was killed, PostgreSQL still holds the other end of the pipe.
      await Promise.race([once(child, 'close'), sleep(lastWordsMs)]);
      resolve([`ended with ${signal ?? code}`, ...lastLines].join('\n'));
    });
  });
  const line = await firstLine(child, ended);
  const standing = standings.find((each) => each === line);
  if (standing === undefined)
    throw new Failure('unavailable', `The database in ${site.cluster} cannot be started: ${await ended}`);
  return {
    standing,
    start: () => child.stdin.write('go\n'),
    stop() {
      release();
      child.stdin.destroy();
    },
    ended,
  };
}

async function firstLine(child: ChildProcessWithoutNullStreams, ended: Promise<string>): Promise<string | undefined> {
  const lines = createInterface({ input: child.stdout });
  const line = new Promise<string>((resolve) => lines.once('line', resolve));
  return Promise.race([line, ended.then(() => undefined)]);
}
