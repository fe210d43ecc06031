import { basename } from 'node:path';
import { Failure } from '../../../lib/failure.ts';
import { ByteWindow, detectEncoding, lineBytesMax } from '../../../lib/files/bytes.ts';
import { CsvScanner, fieldText } from '../../../lib/files/csv.ts';
import type { Reject } from '../../../lib/files/rejects.ts';
import { sayRowReason } from '../../../lib/files/row-reasons.ts';

/** A row of a file without a header: its number, from 1, and its trimmed fields. */
export type RegisterRow = { readonly row: number; readonly fields: readonly string[] };

const delimiter = ';';
const fieldsMax = 64;

/**
 * Reads a register file in the published format: semicolons, quotes, no header, Latin-1 (or UTF-8, if converted). Every
 * row must have as many fields as the first; other rows are passed to `refuse`, and reading continues. Throws Failure
 * 'not_found', 'invalid'.
 */
export async function* readRegisterRows(path: string, refuse: (reject: Reject) => void): AsyncGenerator<RegisterRow> {
  const file = basename(path);
  const encoding = await detectEncoding(path, 'none', file);
  const window = new ByteWindow(path, 'none', encoding, file);
  const scanner = new CsvScanner(delimiter, fieldsMax);
  const reject = (row: number, reason: string) => refuse({ file, row, column: null, reason, value: null });
  let row = 0;
  let width = 0;
  try {
    for (;;) {
      const { position } = window;
      if (position >= window.limit) {
        if (window.isLast) return;
        await window.more();
        continue;
      }
      const outcome = scanner.scan(window.buffer, position, window.limit, window.isLast);
      if (outcome === 'partial' || (outcome === 'bad' && scanner.next === -1)) {
        if (window.limit - position > lineBytesMax || window.isLast)
          throw new Failure(
            'invalid',
            `${file}, row ${row + 1}: a quote is opened and never closed, or a line has no end`,
          );
        await window.more();
        continue;
      }
      window.position = scanner.next;
      if (outcome === 'blank') continue;
      row++;
      if (outcome === 'bad') {
        reject(row, sayRowReason(scanner.reason));
        continue;
      }
      if (width === 0) width = scanner.fields;
      if (scanner.fields !== width) {
        reject(row, `expected ${width} fields, found ${scanner.fields}`);
        continue;
      }
      const { buffer } = window;
      const fields = Array.from({ length: Math.min(width, fieldsMax) }, (_, i) =>
        fieldText(buffer, scanner.starts[i], scanner.ends[i], scanner.kinds[i]).trim(),
      );
      yield { row, fields };
    }
  } finally {
    await window.close();
  }
}
