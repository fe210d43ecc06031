import type { Lastro } from '@lastro/sdk';
import { csvLine, delimiterOf, openCsv } from './csv.ts';

/** Whether rows can be taken out of a file here. */
export const isTakeable = (path: string): boolean => /\.(csv|tsv|txt|jsonl|ndjson|json)(\.gz)?$/i.test(path);

/** Which rows of a file are taken out of it: those of these numbers, or all others. */
export type RowsTaken = { readonly rows: ReadonlySet<number>; readonly areLeft?: boolean };

/**
 * Takes rows out of an uploaded file, which is read as it comes: the header and the rows, as they stand there. `tell`
 * hears of the share that has been read.
 */
export async function takeRows(
  client: Lastro,
  file: { readonly file_id: string; readonly path: string },
  { rows, areLeft = false }: RowsTaken,
  tell: (share: number) => void,
): Promise<Blob> {
  const response = await client.files.download(file.file_id);
  const total = Number(response.headers.get('content-length'));
  let loaded = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      loaded += chunk.length;
      tell(total > 0 ? loaded / total : 0);
      controller.enqueue(chunk);
    },
  });
  const counted = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(count);
  const isPacked = /\.gz$/i.test(file.path);
  const bytes = isPacked ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  const isJson = /\.(jsonl|ndjson|json)(\.gz)?$/i.test(file.path);
  // Without the mark Excel takes UTF-8 for Latin-1.
  const taken: string[] = isJson ? [] : ['\ufeff'];
  for await (const line of isJson ? linesOf(bytes) : csvLinesOf(bytes))
    if (line.row === 0 || rows.has(line.row) !== areLeft) taken.push(line.text);
  return new Blob(taken, { type: isJson ? 'application/x-ndjson' : 'text/csv' });
}

type Line = { readonly row: number; readonly text: string };

/** Row 0 is the header. */
async function* csvLinesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Line> {
  let reader: ReturnType<typeof openCsv> | null = null;
  let delimiter = ',';
  let row = 0;
  for await (const text of textsOf(bytes)) {
    if (!reader) {
      delimiter = delimiterOf(text);
      reader = openCsv(delimiter);
    }
    for (const fields of reader.push(text)) yield { row: row++, text: csvLine(fields, delimiter) };
  }
  for (const fields of reader?.end() ?? []) yield { row: row++, text: csvLine(fields, delimiter) };
}

async function* linesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Line> {
  let row = 1;
  let rest = '';
  for await (const text of textsOf(bytes)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') yield { row: row++, text: `${line}\n` };
  }
  if (rest.trim() !== '') yield { row: row++, text: `${rest}\n` };
}

/** UTF-8, or Latin-1 where the first part is not UTF-8. */
async function* textsOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = bytes.getReader();
  let decoder: TextDecoder | null = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    decoder ??= decoderOf(value);
    yield decoder.decode(value, { stream: true });
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

function decoderOf(first: Uint8Array<ArrayBuffer>): TextDecoder {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(first, { stream: true });
    return new TextDecoder('utf-8');
  } catch {
    return new TextDecoder('windows-1252');
  }
}

const endings = /\.(csv|tsv|txt|jsonl|ndjson|json)(\.gz)?$/i;

/** What a file of rows that were taken out of another one is called: `sales-rows-to-correct.csv`. */
export function nameOfTaken(path: string, more: string): string {
  const name = path.split('/').at(-1) ?? path;
  return `${name.replace(endings, '')}-${more}.${endings.exec(name)?.[1] ?? 'csv'}`;
}
