import type { Lastro } from '@lastro/sdk';
import { csvLine, delimiterOf, openCsv } from './csv.ts';

/** Whether rows can be taken out of a file here. */
export const isTakeable = (path: string): boolean => /\.(csv|tsv|txt|jsonl|ndjson|json)(\.gz)?$/i.test(path);

/** Columns that lead each row that is taken, of a file with these columns: their names, and what they say of a row. */
export type Leading = (
  columns: readonly string[],
) => readonly { readonly name: string; readonly say: (row: number) => string }[];

/** Which rows of a file are taken out of it: those of these numbers, or all others. */
export type RowsTaken = { readonly rows: ReadonlySet<number>; readonly areLeft?: boolean; readonly leading?: Leading };

type StoredFile = { readonly file_id: string; readonly path: string };

/**
 * Takes rows out of an uploaded file, which is read as it comes: the header and the rows, as they stand there. `tell`
 * hears of the share that has been read.
 */
export async function takeRows(
  client: Lastro,
  file: StoredFile,
  { rows, areLeft = false, leading = () => [] }: RowsTaken,
  tell: (share: number) => void,
): Promise<Blob> {
  const isJson = isOfLines(file.path);
  // Without the mark Excel takes UTF-8 for Latin-1.
  let taken: string[] = isJson ? [] : ['\ufeff'];
  let characters = 0;
  const packed: Blob[] = [];
  let led: ReturnType<Leading> = [];
  for await (const line of readLines(client, file, tell)) {
    if (line.row === 0) led = leading(line.fields!);
    if (line.row !== 0 && rows.has(line.row) === areLeft) continue;
    const text = line.fields ? ledLine(line, led) : ledObject(line, leading);
    taken.push(text);
    characters += text.length;
    if (characters < packedMin) continue;
    // The browser keeps large blobs on the disk, and strings in memory.
    packed.push(new Blob(taken));
    [taken, characters] = [[], 0];
  }
  return new Blob([...packed, ...taken], { type: isJson ? 'application/x-ndjson' : 'text/csv' });
}

/** Before all others, so that a row with too many values, or too few, keeps them in their places. */
function ledLine({ row, fields, delimiter }: Line, led: ReturnType<Leading>): string {
  return csvLine([...led.map(({ name, say }) => (row === 0 ? name : say(row))), ...fields!], delimiter);
}

/** A line that is no object stays as it is. */
function ledObject({ row, text }: Line, leading: Leading): string {
  try {
    const object: unknown = JSON.parse(text);
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return text;
    const led = leading(Object.keys(object)).map(
      ({ name, say }) => `${JSON.stringify(name)}:${JSON.stringify(say(row))}`,
    );
    const rest = text.slice(text.indexOf('{') + 1);
    return led.length === 0 ? text : `{${led.join(',')}${rest.trim() === '}' ? '' : ','}${rest}`;
  } catch {
    return text;
  }
}

/** The lines of an uploaded file, as it comes; whoever stops early stops the download. */
export async function* readLines(
  client: Lastro,
  file: StoredFile,
  tell: (share: number) => void,
): AsyncGenerator<Line> {
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
  yield* isOfLines(file.path) ? linesOf(bytes) : csvLinesOf(bytes);
}

const isOfLines = (path: string): boolean => /\.(jsonl|ndjson|json)(\.gz)?$/i.test(path);

const packedMin = 4 << 20;

/** `fields`: of CSV. `text`: of JSON. */
type Line = {
  readonly row: number;
  readonly text: string;
  readonly fields: readonly string[] | null;
  readonly delimiter: string;
};

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
    for (const fields of reader.push(text)) yield { row: row++, text: '', fields, delimiter };
  }
  for (const fields of reader?.end() ?? []) yield { row: row++, text: '', fields, delimiter };
}

async function* linesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Line> {
  let row = 1;
  let rest = '';
  for await (const text of textsOf(bytes)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines)
      if (line.trim() !== '') yield { row: row++, text: `${line}\n`, fields: null, delimiter: '' };
  }
  if (rest.trim() !== '') yield { row: row++, text: `${rest}\n`, fields: null, delimiter: '' };
}

/** UTF-8, or Latin-1 from where the bytes are not UTF-8: before it every character was written alike in both. */
async function* textsOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = bytes.getReader();
  let isUtf8 = true;
  let held = new Uint8Array();
  const decode = (all: Uint8Array<ArrayBuffer>): string => {
    try {
      if (isUtf8) return new TextDecoder('utf-8', { fatal: true }).decode(all);
    } catch {
      isUtf8 = false;
    }
    return new TextDecoder('windows-1252').decode(all);
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const all = new Uint8Array(held.length + value.length);
      all.set(held);
      all.set(value, held.length);
      const end = isUtf8 ? wholeCharacters(all) : all.length;
      held = all.slice(end);
      const text = decode(all.subarray(0, end));
      if (text !== '') yield text;
    }
    if (held.length > 0) yield decode(held);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Where the last character of UTF-8 ends that is there as a whole. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const endings = /\.(csv|tsv|txt|jsonl|ndjson|json)(\.gz)?$/i;

/** What a file of rows that were taken out of another one is called: `sales-rows-to-correct.csv`. */
export function nameOfTaken(path: string, more: string): string {
  const name = path.split('/').at(-1) ?? path;
  return `${name.replace(endings, '')}-${more}.${endings.exec(name)?.[1] ?? 'csv'}`;
}
