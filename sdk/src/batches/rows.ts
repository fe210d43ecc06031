import { LastroError } from '../errors.ts';

/** A row of a result. Values are typed in JSONL; in CSV they are all texts, as they stand there. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** The rows of a result file by its name. Throws LastroError for Parquet, whose rows this package does not read. */
export function readRows(path: string, texts: AsyncIterable<string>): AsyncGenerator<ResultRow> {
  if (/\.csv$/i.test(path)) return csvRows(texts);
  if (/\.(jsonl|ndjson)$/i.test(path)) return jsonRows(texts);
  const detail = `rows of ${path} are not read here: ask for output_format 'jsonl' or 'csv', or take its bytes`;
  throw new LastroError({ detail });
}

async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<ResultRow> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as ResultRow;
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as ResultRow;
}

async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<ResultRow> {
  let names: readonly string[] | null = null;
  for await (const record of csvRecords(texts)) {
    if (names === null) names = record;
    else yield Object.fromEntries(names.map((name, at) => [name, record[at] ?? '']));
  }
}

/** Records of CSV (RFC 4180, or with semicolons), whose fields may hold line ends within quotes. */
async function* csvRecords(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  /** Known from the header, in which names with a semicolon are quoted. */
  let delimiter: string | null = null;
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  /** A quote within quotes ends them, unless another one follows. */
  let endsQuote = false;
  for await (const text of texts)
    for (const letter of text) {
      if (endsQuote) {
        endsQuote = false;
        if (letter === '"') {
          field += '"';
          continue;
        }
        isQuoted = false;
      }
      if (isQuoted) {
        if (letter === '"') endsQuote = true;
        else field += letter;
      } else if (letter === '"') isQuoted = true;
      else if (letter === delimiter || (delimiter === null && (letter === ',' || letter === ';'))) {
        delimiter = letter;
        record.push(field);
        field = '';
      } else if (letter === '\n') {
        delimiter ??= ',';
        yield [...record, field];
        record = [];
        field = '';
      } else if (letter !== '\r') field += letter;
    }
  if (field !== '' || record.length > 0) yield [...record, field];
}
