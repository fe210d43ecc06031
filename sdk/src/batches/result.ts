import { textsOf } from '../http/texts.ts';
import type { Nouns } from '../nouns.ts';
import type { Settings } from '../settings.ts';
import type { RequestOptions, Schemas } from '../signatures.ts';
import { download, streamOf } from './download.ts';
import { type ResultRow, readRows } from './rows.ts';

/** A file of a result: one for each input, rows in its order. */
export type ResultFile = Schemas['BatchResultFile'] & {
  /** Its bytes, which go on where a connection breaks. */
  stream(): ReadableStream<Uint8Array>;
};

/** Where a file of a result is written to. */
export type Destination = (file: ResultFile) => WritableStream<Uint8Array> | Promise<WritableStream<Uint8Array>>;

/** What a batch has made. */
export type BatchResult<Row = ResultRow> = {
  /** The rows of all files, one after the other, of CSV and JSONL. */
  results(): AsyncGenerator<Row>;
  /** The rows that could not be scored, with the reasons. */
  errors(): AsyncIterable<Schemas['BatchError']>;
  files(): Promise<readonly ResultFile[]>;
  /** Writes every file to where you say. */
  download(destination: Destination): Promise<void>;
};

type Batches = Pick<Nouns['batches'], 'getResult' | 'listErrors'>;

/** The result of a batch that has ended. What rows are like only the caller knows: hence the cast of them. */
export function openResult<Row>(
  settings: Settings,
  batches: Batches,
  id: string,
  options: RequestOptions,
): BatchResult<Row> {
  const files = async () => {
    const { files: listed } = await batches.getResult(id, options);
    return listed.map((file, position) => ({ ...file, stream: () => streamOf(chunksOf(file, position)) }));
  };
  const chunksOf = ({ bytes, download_url: first }: Schemas['BatchResultFile'], position: number) => {
    let isFresh = true;
    const address = async () => {
      if (!isFresh) return (await batches.getResult(id, options)).files[position].download_url;
      isFresh = false;
      return first;
    };
    return download(settings, { bytes, address }, options);
  };
  return {
    files,
    async *results() {
      for (const file of await files()) yield* readRows(file.path, textsOf(file.stream())) as AsyncGenerator<Row>;
    },
    errors: () => batches.listErrors(id, {}, options),
    async download(destination) {
      for (const file of await files()) await file.stream().pipeTo(await destination(file));
    },
  };
}
