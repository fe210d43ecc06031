import { resolve } from 'node:path';
import { serveUnguarded } from '../api/serve.ts';
import { refuse } from '../errors.ts';
import { newId } from '../lib/crypto/ids.ts';
import { Failure } from '../lib/failure.ts';
import { openFaultLog } from '../lib/http/log.ts';
import { type Head, openHttp } from '../lib/http/server.ts';
import { embeddingRoutes } from '../resources/embeddings/routes.ts';
import { predictionRoute } from '../resources/predictions/routes.ts';
import { openAsk } from '../serving/ask.ts';
import { readArguments } from './arguments.ts';
import { openSource, scoreFile } from './predict.ts';
import { openProgress, type ProgressLine } from './progress.ts';
import { embedFile } from './rfm-embed-file.ts';
import { answerAtHome, type Home, homeUser, openHome, readTarget, versionAt } from './rfm-home.ts';
import { rfmServeUsage } from './rfm-usage.ts';
import { stopSignal } from './stop-signal.ts';
import { requireFormat } from './write-rows.ts';

const portDefault = 8090;
const portMax = 65_535;
/** The server listens on this address only, so only this machine can reach it. */
const loopback = '127.0.0.1';

/** Serves an export over tables until the process is told to stop. With --in, answers a file instead. */
export async function rfmServeCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
  say: (line: string) => void,
): Promise<number> {
  const { words, values } = readArguments(args, rfmServeUsage);
  const port = Number(values.port ?? portDefault);
  if (!Number.isInteger(port) || port < 0 || port > portMax)
    throw new Failure('invalid', `--port ${values.port} is not a number from 0 to ${portMax}`);
  if (
    (values.in === undefined) !== (values.out === undefined) ||
    ((values.model ?? values.encoder) !== undefined && values.in === undefined)
  )
    throw new Failure('invalid', '--in and --out go together, and --model or --encoder with them');
  if (values.model !== undefined && values.encoder !== undefined)
    throw new Failure('invalid', '--model scores the rows of a file and --encoder embeds them: give one of the two');
  if (values.in !== undefined) requireFormat(values.in, values.out!);
  const home = await openHome(resolve(words[0]), resolve(values.data!), say);
  if (values.in !== undefined) return answerFile(home, values.in, values.out!, values, openProgress(say));
  const stop = stopSignal();
  const { url, close } = await startHome(home, port);
  out.write(`${url}\n`);
  say(`answers at ${url}, for the encoder ${home.exported.modelSnapshot} of ${home.exported.entity}:`);
  say('  POST /v1/api/embeddings, /v1/api/embeddings/neighbors');
  for (const snapshot of home.encoders.keys())
    if (snapshot !== home.exported.modelSnapshot)
      say(`  also by a model's own encoder: "rfm_version_id": "${snapshot}"`);
  for (const { modelId, versionId, aliases } of home.exported.models)
    for (const name of [...aliases, versionId]) say(`  POST /v1/api/prediction/${modelId}/${name}`);
  await stop;
  await close();
  return 0;
}

/** Embeds the rows of a file, or scores them with a model. */
async function answerFile(
  home: Home,
  from: string,
  to: string,
  { model: target, encoder }: Readonly<Record<string, string | undefined>>,
  progress: ProgressLine,
): Promise<number> {
  const now = Date.now();
  if (target === undefined) {
    const { rows, rejected } = await embedFile(home, encoder, from, to, now, progress);
    progress.say(`${rows} rows embedded, ${rejected} rejected; wrote ${to}`);
    return 0;
  }
  const { modelId, name } = readTarget(target);
  const { opened } = versionAt(home, modelId, name);
  const { language, timeZone } = home.exported;
  const source = await openSource(opened.version, from, to, false, progress);
  const reading = { over: () => ({ opened, times: [] }), moveOn: () => null };
  const { rows, rejected } = await scoreFile(reading, source, { now, asOf: null, language, timeZone }, progress);
  progress.say(`${rows} rows predicted, ${rejected} rejected; wrote ${to}`);
  return 0;
}

/** Serves an opened export on this machine. Port 0 picks a free port. */
async function startHome(home: Home, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const http = openHttp({
    log: openFaultLog(),
    trustedProxies: [],
    newRequestId: () => newId('req'),
    document: { info: { title: 'Lastro at home', version: '1' } },
  });
  const answering = answerAtHome(home);
  const routes = [...embeddingRoutes(answering), predictionRoute(answering, openAsk())];
  serveUnguarded(http, routes, homeUser(home), refuseForeignHosts);
  const taken = await http.listen(port, loopback).catch((cause) => {
    throw new Failure('conflict', `port ${port} of this machine is taken; choose another with --port`, { cause });
  });
  return { url: `http://${loopback}:${taken}`, close: () => http.close() };
}

/**
 * Refuses requests under other host names: by DNS rebinding, a web page in a local browser could otherwise reach the
 * server.
 */
function refuseForeignHosts({ headers }: Head): void {
  const host = String(headers.host ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', ''].includes(host))
    throw refuse('forbidden', `it answers as 127.0.0.1 or localhost, not as ${host}`);
}
