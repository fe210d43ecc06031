import { basename, extname } from 'node:path';

const endingOfType: Readonly<Record<string, string>> = {
  'application/vnd.apache.parquet': '.parquet',
  'application/x-parquet': '.parquet',
  'text/csv': '.csv',
  'application/jsonl': '.jsonl',
  'application/x-ndjson': '.jsonl',
};

/** The ending by which a file's format is known: that of its path where it has one we know, else its type's. */
export function endingOf(path: string, contentType: string): string {
  const match = /\.(parquet|csv|jsonl|ndjson)(\.gz)?$/i.exec(basename(path));
  if (match) return match[0].toLowerCase();
  return endingOfType[contentType] ?? extname(path);
}
