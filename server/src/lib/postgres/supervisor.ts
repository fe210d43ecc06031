// A shell stands between Node and PostgreSQL, because only a separate process outlives a killed Node and can still
// stop the server. Three kernel locks tell what is alive, whatever was killed: `data.lock` is held by every process of
// the cluster down to the last backend, `supervised.lock` by the one that will stop it, and the one on the cluster's
// folder by the Node that wants it to run. All vanish with their holders, so that neither recycled process ids nor
// zombies can mislead: a cluster nobody will stop is known to be an orphan, and one about to be stopped is not shared.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import type { Site } from './site.ts';

/** Lines of PostgreSQL's own words kept for the message of a failed start. */
const lastLinesMax = 8;
/** How long these words may still be on their way when the shell has ended. */
const lastWordsMs = 200;
/** A fast shutdown writes at most the shared buffers; who is not done by then is stopped as by a power cut. */
const stopTimeoutSeconds = 30;

/**
 * `holding`: the folder is ours and PostgreSQL may be started. `supervised`: another live process has it. `ending`: it
 * had, and PostgreSQL is about to be stopped. `orphaned`: PostgreSQL runs there, or is ending, and nobody will stop it.
 */
export type Standing = (typeof standings)[number];

const standings = ['holding', 'supervised', 'ending', 'orphaned'] as const;

export type Supervisor = {
  readonly standing: Standing;
  /** Lets the shell make the cluster if there is none, and run PostgreSQL. */
  start(): void;
  /** Asks PostgreSQL for a fast shutdown; `ended` tells when it is over. */
  stop(): void;
  /** Why it ended, with PostgreSQL's last words. */
  readonly ended: Promise<string>;
};

// Descriptor 9 is the data's lock, 8 the supervisor's and 3 Node's; 4 is the pipe from Node, which ends when Node does.
// Locks belong to the open file, so that the children of this shell inherit them, closing 8 for PostgreSQL is what
// makes an orphan visible, and the lock on 3 stays with Node, which opened it. Who only looks takes shared locks, which
// do not bar others who look. SIGINT is a fast shutdown but ignored until PostgreSQL has set its handlers; SIGTERM
// ends it before that, and after it only begins the slower shutdown that SIGINT then hastens.
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
 * Tries for the folder and tells how it stands. PostgreSQL gets `settings` on its command line. Throws
 * `Failure('unavailable')` when the shell cannot even look.
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
      // A session of its own: Ctrl-C is for Node, which then stops PostgreSQL in its turn.
      detached: true,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe', folder],
    },
  ) as ChildProcessWithoutNullStreams;
  // Whatever is written to a shell that has just ended is of no use to anyone.
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
      // Not waited for without end: when the shell was killed, PostgreSQL still holds the other end.
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
