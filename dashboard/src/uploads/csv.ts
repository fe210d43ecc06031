/** Reads rows of CSV from texts as they come, as the service does: quotes may keep delimiters and ends of lines, and an
 * empty line is no row. */
export type CsvReader = {
  push(text: string): string[][];
  /** The last row, which needs no end of line. */
  end(): string[][];
};

export function openCsv(delimiter: string): CsvReader {
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  let wasQuoted = false;
  let isAfterQuote = false;
  let isAfterReturn = false;
  const endField = () => {
    row.push(field);
    field = '';
    isAfterQuote = false;
  };
  const endRow = (rows: string[][]) => {
    const isBlank = row.length === 0 && field === '' && !wasQuoted;
    endField();
    if (!isBlank) rows.push(row);
    row = [];
    wasQuoted = false;
  };
  return {
    push(text) {
      const rows: string[][] = [];
      for (const character of text) {
        if (isQuoted) {
          if (character === '"') {
            isQuoted = false;
            isAfterQuote = true;
          } else field += character;
        } else if (isAfterQuote && character === '"') {
          field += '"';
          isQuoted = true;
          isAfterQuote = false;
        } else if (character === '"' && field === '' && !isAfterQuote) {
          isQuoted = true;
          wasQuoted = true;
        } else if (character === delimiter) endField();
        else if (character === '\n' && isAfterReturn) isAfterReturn = false;
        else if (character === '\n' || character === '\r') endRow(rows);
        else field += character;
        isAfterReturn = character === '\r' && !isQuoted;
      }
      return rows;
    },
    end() {
      const rows: string[][] = [];
      endRow(rows);
      return rows;
    },
  };
}

/** The rows of CSV in UTF-8 as its bytes come, many at a time; without a byte order mark. */
export async function* rowsOfCsv(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  delimiter: string,
): AsyncGenerator<readonly string[][]> {
  const csv = openCsv(delimiter);
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield csv.push(next.value);
  yield csv.end();
}

const delimiters = [',', ';', '\t', '|'];

/** The delimiter of most fields in the first line. */
export function delimiterOf(text: string): string {
  const [line] = text.split(/\r?\n|\r/, 1);
  const plain = line.replace(/"(?:[^"]|"")*"/g, '');
  const counts = delimiters.map((delimiter) => plain.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))];
}

/** A row as a line of CSV, with nothing changed in it. */
export function csvLine(fields: readonly string[], delimiter = ','): string {
  const quoted = fields.map((field) =>
    field.includes(delimiter) || /["\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field,
  );
  return `${quoted.join(delimiter)}\r\n`;
}
