import type { Lastro } from '@lastro/sdk';
import { csvLine, openCsv } from '../uploads/csv.ts';
import { onThisOrigin } from '../uploads/put-file.ts';

/**
 * A CSV file of a result as Excel reads it in Portuguese: semicolons, and decimal commas in the numbers that the
 * version of each row answers with. It is read as it comes. Texts stay as they are, keys that look like numbers too.
 */
export async function inExcelForm(client: Lastro, address: string): Promise<Blob> {
  const response = await fetch(onThisOrigin(address));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const reader = openCsv(',');
  const numbersOf = openNumbers(client);
  let columns: readonly string[] | null = null;
  const write = async (rows: readonly string[][]): Promise<string> => {
    let text = '';
    for (const row of rows) {
      if (columns === null) columns = row;
      else {
        const numbers = await numbersOf(row[columns.indexOf('model_id')], row[columns.indexOf('version_id')]);
        for (const [at, name] of columns.entries()) if (numbers.has(name)) row[at] = row[at].replace('.', ',');
      }
      text += csvLine(row, ';');
    }
    return text;
  };
  const parts: BlobPart[] = ['\ufeff'];
  const texts = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream());
  const stream = texts.getReader();
  for (let next = await stream.read(); !next.done; next = await stream.read())
    parts.push(new Blob([await write(reader.push(next.value))]));
  parts.push(await write(reader.end()));
  return new Blob(parts, { type: 'text/csv' });
}

/** The outputs of a version that are numbers with decimals, each version asked for once. */
function openNumbers(client: Lastro): (model: string, version: string) => Promise<ReadonlySet<string>> {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const read = async (model: string, version: string): Promise<ReadonlySet<string>> => {
    const { outputs } = await client.models.versions.get(model, version);
    return new Set(outputs.flatMap(({ name, type }) => (type === 'number' ? [name] : [])));
  };
  return (model, version) => {
    const found = known.get(version) ?? read(model, version);
    known.set(version, found);
    return found;
  };
}
