import { basename, extname } from 'node:path';

const endingOfType: Readonly<Record<string, string>> = {
  'application/vnd.apache.parquet': '.parquet',
  'application/x-parquet': '.parquet',
  'text/csv': '.csv',
  'application/jsonl': '.jsonl',
  'application/x-ndjson': '.jsonl',
};

const stemLengthMax = 50;

/** What to call a local copy: as its sender does, as far as file systems bear it, and ending as its format does. */
export function localName(path: string, contentType: string): string {
  const ending = endingOf(path, contentType);
  const name = basename(path);
  const stem = name.toLowerCase().endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
  return `${stem.replace(/[^\p{L}\p{N}._-]/gu, '_').slice(0, stemLengthMax)}${ending}`;
}

/** The ending by which a file's format is known: that of its path where it has one we know, else its type's. */
export function endingOf(path: string, contentType: string): string {
  const match = /\.(parquet|csv|jsonl|ndjson)(\.gz)?$/i.exec(basename(path));
  if (match) return match[0].toLowerCase();
  return endingOfType[contentType] ?? extname(path);
}
