import { readCaller } from '../config.ts';
import { Failure } from '../lib/failure.ts';
import { readArguments, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

export const replayUsage = {
  usage:
    'replay [<prediction id> … | <batch id>] [--from <moment>] [--to <moment>] [--model <model>] [--version-id <id>] [--sample <number>]',
  about: `Answers predictions of the log again, or scores the rows of a batch again, and says whether the answers are the same to the byte.
Asks the service at LASTRO_BASE_URL (http://localhost:4000 by default) with the key of LASTRO_API_KEY, whose role may invoke predictions.
Ends with 1 where one is not the same. What cannot be answered again is counted by what is gone, and is no difference.

  <prediction id>  one or several, of prd_…; one alone is written with its answer
  <batch id>       of bat_…, with a result
  --from, --to     without ids: those answered from then on and before then (RFC 3339); all by default
  --model          those of one model, by its id or name
  --version-id     those of one version
  --sample         so many of the newest, spread over versions and snapshots`,
  positionals: 'any',
  options: { from: 'value', to: 'value', model: 'value', 'version-id': 'value', sample: 'value' },
} as const satisfies Usage;

type Answer = Readonly<Record<string, unknown>>;
type Call = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

const waitSeconds = 2;
const batchPrefix = 'bat_';

/** Replays what is named and writes what was found as JSON. Returns the exit code: 1 where something differs. */
export async function replayCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
  say: (line: string) => void,
): Promise<number> {
  const { words, values } = readArguments(args, replayUsage);
  const call = openCall(readCaller());
  const asked = askedOf(words, values);
  const isOne = words.length === 1 && !words[0].startsWith(batchPrefix);
  const found = isOne
    ? await call('POST', `/v1/api/predictions/${encodeURIComponent(words[0])}/replay`)
    : await untilEnd(call, await call('POST', '/v1/api/replays', asked), say);
  out.write(`${JSON.stringify(found, null, 2)}\n`);
  return found.bit_identical === false || Number(found.different ?? 0) > 0 ? 1 : 0;
}

function askedOf(words: readonly string[], values: Readonly<Record<string, string | undefined>>): unknown {
  const { 'version-id': version_id, sample, ...span } = values;
  const isNarrowed = Object.keys(values).length > 0;
  if (words.length > 0 && isNarrowed)
    throw new Failure('invalid', `name ids, or a span and what narrows it\nusage: lastro ${replayUsage.usage}`);
  const [batch] = words.filter((word) => word.startsWith(batchPrefix));
  if (batch !== undefined && words.length > 1)
    throw new Failure('invalid', `one batch at a time, and no predictions beside it, not ${words.join(' ')}`);
  if (batch !== undefined) return { batch };
  if (words.length > 0) return { predictions: { ids: words } };
  if (sample !== undefined && !(Number(sample) >= 1))
    throw new Failure('invalid', `--sample ${sample}: expected a whole number from 1`);
  return { predictions: { ...span, ...(version_id && { version_id }), ...(sample && { sample: Number(sample) }) } };
}

/** Follows a replay to its end. Throws Failure 'unavailable' where it did not come to one. */
async function untilEnd(call: Call, started: Answer, say: (line: string) => void): Promise<Answer> {
  const progress = openProgress(say);
  for (let replay = started; ; ) {
    const { status, done, total, failure } = replay;
    if (status === 'succeeded') return replay;
    if (status !== 'queued' && status !== 'running')
      throw new Failure('unavailable', `replay ${replay.id} is ${status}: ${(failure as Answer | null)?.detail ?? ''}`);
    progress.phase(status === 'queued' ? 'waiting' : 'replaying', Number(done), Number(total ?? 0));
    replay = await call('GET', `/v1/api/replays/${replay.id}?wait=${waitSeconds}`);
  }
}

/** Returns what calls the service. It throws Failure with what was refused, and where the service does not answer. */
function openCall({ url, key }: ReturnType<typeof readCaller>): Call {
  return async (method, path, body) => {
    const asked = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const answer = await fetch(`${url}${path}`, asked).catch((cause) => {
      throw new Failure('unavailable', `no service answers at ${url}: set LASTRO_BASE_URL to its address`, { cause });
    });
    // What answers may be no service of this program.
    const value = (await answer.json().catch(() => ({}))) as Answer;
    if (!answer.ok)
      throw new Failure('invalid', `${answer.status} ${value.code ?? ''}: ${value.detail ?? 'no reason given'}`);
    return value;
  };
}
