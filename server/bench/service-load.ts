// Requests against a server, and what they cost the processes behind it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Of autocannon, what is used here: it has no types of its own. */
type Autocannon = (options: {
  url: string;
  connections: number;
  duration: number;
  requests: readonly Asked[];
  timeout: number;
  overallRate?: number;
}) => Promise<{
  readonly duration: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
  readonly '2xx': number;
  readonly latency: { readonly p50: number; readonly p99: number; readonly p99_9: number; readonly max: number };
}>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

export type Asked = {
  readonly method: 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A server to ask: the processes that answer are `pid` and, of its descendants, those of PostgreSQL. */
export type Server = { readonly url: string; readonly pid: number; readonly requests: readonly Asked[] };

export type Turn = {
  readonly answers: number;
  /** Answers that were no 2xx, broken connections and answers that did not come in time. */
  readonly errors: number;
  readonly perSecond: number;
  /** CPU microseconds per answer: of the server's process, and of its PostgreSQL. */
  readonly ownUs: number;
  readonly databaseUs: number;
  /** Milliseconds; with `rate` from when a request was due, so that waiting in line counts. */
  readonly p50: number;
  readonly p99: number;
};

const answerTimeoutSeconds = 20;

/** Asks for `seconds`: each connection asks again when it is answered, or all together `rate` times a second. */
export async function load(
  { url, pid, requests }: Server,
  { connections, seconds, rate }: { connections: number; seconds: number; rate?: number },
): Promise<Turn> {
  const before = cpuSecondsOf(pid);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests,
    timeout: answerTimeoutSeconds,
    ...(rate === undefined ? {} : { overallRate: rate }),
  });
  const after = cpuSecondsOf(pid);
  const answers = result['2xx'];
  return {
    answers,
    errors: result.non2xx + result.errors + result.timeouts,
    perSecond: answers / result.duration,
    ownUs: ((after.own - before.own) / answers) * 1e6,
    databaseUs: ((after.database - before.database) / answers) * 1e6,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

const ticksPerSecond = 100;

type Process = { readonly name: string; readonly parent: number; readonly own: number; readonly withEnded: number };

function cpuSecondsOf(pid: number): { own: number; database: number } {
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const process = /^\d+$/.test(name) ? readProcess(Number(name)) : null;
    if (process) processes.set(Number(name), process);
  }
  const descends = (of: number): boolean => {
    const parent = processes.get(of)?.parent;
    return parent !== undefined && parent > 1 && (parent === pid || descends(parent));
  };
  let database = 0;
  for (const [of, { name, withEnded }] of processes) if (name === 'postgres' && descends(of)) database += withEnded;
  const server = processes.get(pid);
  if (!server) throw new Error(`process ${pid}, which was to answer, has ended`);
  return { own: server.own, database };
}

/** From /proc/<pid>/stat (proc(5)); null for a process that has ended meanwhile. */
function readProcess(pid: number): Process | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const seconds = (at: number): number => Number(fields[at]) / ticksPerSecond;
  const own = seconds(11) + seconds(12);
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    own,
    withEnded: own + seconds(13) + seconds(14),
  };
}
