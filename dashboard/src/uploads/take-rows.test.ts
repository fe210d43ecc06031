import type { Lastro } from '@lastro/sdk';
import { expect, test } from 'vitest';
import { nameOfTaken, type RowsTaken, takeRows } from './take-rows.ts';

/** The rows that are taken of a file whose bytes come in these parts. */
async function taken(path: string, parts: readonly Uint8Array<ArrayBuffer>[], which: RowsTaken): Promise<string> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const client = { files: { download: async () => new Response(body) } } as unknown as Lastro;
  const blob = await takeRows(client, { file_id: 'f', path }, which, () => {});
  return (await blob.text()).replace('\ufeff', '');
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test('the rows named are taken, or all others, with the header and as they stand', async () => {
  const file = [utf8('id;name\n1;"a;b"\n2;'), utf8('Zé\n3;c\n')];
  expect(await taken('a.csv', file, { rows: new Set([2]) })).toBe('id;name\r\n2;Zé\r\n');
  expect(await taken('a.csv', file, { rows: new Set([2]), areLeft: true })).toBe('id;name\r\n1;"a;b"\r\n3;c\r\n');
  const lines = [utf8('{"id":1}\n{"id":2}\n')];
  expect(await taken('a.jsonl', lines, { rows: new Set([1]), areLeft: true })).toBe('{"id":2}\n');
});

test('columns that lead the rows stand before all of theirs, and a line that is no object stays as it is', async () => {
  const leading = (columns: readonly string[]) =>
    columns.includes('n') ? [] : [{ name: 'n', say: (row: number) => `${row};` }];
  const rows = new Set([1, 2, 3]);
  const file = [utf8('id;name\n1;a\n2;"b";3\n')];
  expect(await taken('a.csv', file, { rows, leading })).toBe('n;id;name\r\n"1;";1;a\r\n"2;";2;b;3\r\n');
  const lines = [utf8('{"id":1}\n{ }\n{"id"\n')];
  expect(await taken('a.jsonl', lines, { rows, leading })).toBe('{"n":"1;","id":1}\n{"n":"2;" }\n{"id"\n');
  expect(await taken('a.csv', [utf8('n\n1\n')], { rows, leading })).toBe('n\r\n1\r\n');
});

test('characters are read as they were written, wherever the bytes are parted and the first accent stands', async () => {
  const text = 'id,city\n1,Rio\n2,São Paulo\n';
  const rows = new Set([2]);
  const whole = utf8(text);
  for (let at = 1; at < whole.length; at++)
    expect(await taken('a.csv', [whole.slice(0, at), whole.slice(at)], { rows })).toBe('id,city\r\n2,São Paulo\r\n');
  const old = latin1(text);
  for (let at = 1; at < old.length; at++)
    expect(await taken('a.csv', [old.slice(0, at), old.slice(at)], { rows })).toBe('id,city\r\n2,São Paulo\r\n');
});

test('a file of rows is called by the one that they are of', () => {
  expect(nameOfTaken('in/sales.csv.gz', 'rows')).toBe('sales-rows.csv');
});
