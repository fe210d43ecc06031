import { LastroError } from '../errors.ts';
import { sendFiles } from '../files/send.ts';
import type { FileToSend } from '../files/source.ts';
import { randomKey } from '../http/random-key.ts';
import type { Nouns } from '../nouns.ts';
import type { Settings } from '../settings.ts';
import type { Body, RequestOptions, Schemas } from '../signatures.ts';
import { followBatch } from './follow.ts';
import { type BatchProgress, openProgressLog } from './progress.ts';
import { type BatchResult, openResult } from './result.ts';
import type { ResultRow } from './rows.ts';

/** What a batch is asked for, with files to send, or ids (`file_…`) of files that are there. */
export type BatchToRun = Omit<Body<'batches.create'>, 'files'> & { readonly files: readonly (string | FileToSend)[] };

export type RunOptions = Pick<RequestOptions, 'signal' | 'headers' | 'maxRetries'> & {
  /** The same batch run again with the same key is one batch: a program that was stopped goes on where it was. */
  readonly idempotencyKey?: string;
};

/** A batch that has succeeded, with its result. */
export type FinishedBatch<Row = ResultRow> = BatchResult<Row> & { readonly batch: Schemas['Batch'] };

/** Awaited, the finished batch; in a `for await`, how far it is. */
export type BatchRun<Row = ResultRow> = Promise<FinishedBatch<Row>> & AsyncIterable<BatchProgress>;

/** A batch ended as failed; what it scored until then can still be had of it. */
export class BatchFailedError extends LastroError {
  readonly failed: FinishedBatch;

  constructor(failed: FinishedBatch) {
    const { id, failure, files } = failed.batch;
    const faults = files.flatMap(({ path, failure: fault }) => (fault === null ? [] : [`${path}: ${fault.detail}`]));
    super({ detail: [`batch ${id} failed: ${failure?.code}: ${failure?.detail}`, ...faults].join('; ') });
    this.failed = failed;
  }
}

/** Sends files, has their rows scored, and follows that to its end. */
export function runBatch<Row>(
  settings: Settings,
  nouns: Pick<Nouns, 'files' | 'batches'>,
  { files, ...asked }: BatchToRun,
  { idempotencyKey = randomKey(), ...options }: RunOptions,
): BatchRun<Row> {
  const log = openProgressLog();
  const work = async (): Promise<FinishedBatch<Row>> => {
    const sent = files.filter((file) => typeof file !== 'string');
    const onProgress = (progress: Omit<BatchProgress, 'eta'>) => log.tell({ ...progress, eta: null });
    const sending = { ...options, idempotencyKey: `${idempotencyKey}-files`, onProgress };
    const ids = sent.length === 0 ? [] : [...(await sendFiles(settings, nouns.files, sent, sending))];
    const body = { ...asked, files: files.map((file) => (typeof file === 'string' ? file : ids.shift()!)) };
    let batch = await nouns.batches.create(body, { ...options, idempotencyKey });
    for await (batch of followBatch(settings, nouns.batches, batch.id, options)) log.tell(progressOf(batch));
    const finished = { batch, ...openResult<Row>(settings, nouns.batches, batch.id, options) };
    if (batch.status === 'failed') throw new BatchFailedError(finished as FinishedBatch);
    return finished;
  };
  const done = work();
  done.then(
    () => log.end(),
    (error) => log.end({ error }),
  );
  return Object.assign(done, { [Symbol.asyncIterator]: () => log.read() });
}

function progressOf({ status, progress: { rows, eta } }: Schemas['Batch']): BatchProgress {
  return {
    phase: status === 'queued' || status === 'running' ? status : 'done',
    loaded: rows.processed,
    total: rows.total,
    eta: eta === null ? null : new Date(eta),
  };
}
