import { basename, extname } from 'node:path';

const endingOfType: Readonly<Record<string, string>> = {
  'application/vnd.apache.parquet': '.parquet',
  'application/x-parquet': '.parquet',
  'text/csv': '.csv',
  'application/jsonl': '.jsonl',
  'application/x-ndjson': '.jsonl',
};

const stemLengthMax = 50;

/**
 * Returns a name for a local copy: the sender's name in characters that file systems allow, with the format's ending.
 */
export function localName(path: string, contentType: string): string {
  const ending = endingOf(path, contentType);
  const name = basename(path);
  const stem = name.toLowerCase().endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
  return `${stem.replace(/[^\p{L}\p{N}._-]/gu, '_').slice(0, stemLengthMax)}${ending}`;
}

/**
 * Returns the ending that tells a file's format: the ending of its path if it is a known one, else that of its type.
 */
export function endingOf(path: string, contentType: string): string {
  const match = /\.(parquet|csv|jsonl|ndjson)(\.gz)?$/i.exec(basename(path));
  if (match) return match[0].toLowerCase();
  return endingOfType[contentType] ?? extname(path);
}
