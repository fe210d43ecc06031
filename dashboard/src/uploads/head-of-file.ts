import { delimiterOf, openCsv } from './csv.ts';

/** The first rows of a file. `rows` are in the order of `columns`; of JSONL, values as they stand there. */
export type Head = {
  readonly format: 'csv' | 'jsonl';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether these are all rows of the file. */
  readonly isWhole: boolean;
};

export const headRowsMax = 1_000;
const headBytesMax = 4 << 20;

/**
 * Reads the first rows of a file without reading the rest. Null for a format whose rows cannot be read here (Parquet),
 * or in which there is nothing.
 */
export function headOfFile(file: File): Promise<Head | null> {
  return headOfStream(file.name, file.stream());
}

/** The same of a file that comes as a stream, of which no more is read. */
export async function headOfStream(path: string, bytes: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Head | null> {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  const format = /\.(jsonl|ndjson|json)$/.test(name) ? 'jsonl' : /\.(csv|txt|tsv)$/.test(name) ? 'csv' : null;
  if (format === null) return null;
  const isPacked = path.toLowerCase().endsWith('.gz');
  const { text, isWhole } = await startOf(isPacked ? bytes.pipeThrough(new DecompressionStream('gzip')) : bytes);
  return headOfText(text, format, isWhole);
}

/** The same of a text of which the last line may be cut off. */
export function headOfText(text: string, format: Head['format'], isWhole: boolean): Head | null {
  // A spreadsheet that was called a CSV file: nothing in it is a row.
  if (text.startsWith('PK\u0003\u0004')) return { format, columns: [], rows: [], isWhole };
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  return format === 'csv' ? headOfCsv(whole, isWhole) : headOfJsonl(whole, isWhole);
}

async function startOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<{ text: string; isWhole: boolean }> {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let isWhole = false;
  try {
    while (bytes < headBytesMax) {
      const { done, value } = await reader.read();
      if (done) {
        isWhole = true;
        break;
      }
      chunks.push(value);
      bytes += value.length;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  return { text: decode(await new Blob(chunks).arrayBuffer(), isWhole), isWhole };
}

/** UTF-8, or else Latin-1, as the service reads it. */
function decode(bytes: ArrayBuffer, isWhole: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function headOfCsv(text: string, isWhole: boolean): Head | null {
  const reader = openCsv(delimiterOf(text));
  const [columns, ...rows] = [...reader.push(text), ...reader.end()];
  if (columns === undefined) return null;
  return {
    format: 'csv',
    columns,
    rows: rows.slice(0, headRowsMax),
    isWhole: isWhole && rows.length <= headRowsMax,
  };
}

function headOfJsonl(text: string, isWhole: boolean): Head | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const objects = lines.slice(0, headRowsMax).flatMap((line) => objectOf(line) ?? []);
  if (objects.length === 0) return null;
  const columns = [...new Set(objects.flatMap((object) => [...object.keys()]))];
  return {
    format: 'jsonl',
    columns,
    rows: objects.map((object) => columns.map((column) => object.get(column) ?? null)),
    isWhole: isWhole && lines.length <= headRowsMax,
  };
}

/** Null for a line that is no object: the service tells of it with its number. */
function objectOf(line: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}
