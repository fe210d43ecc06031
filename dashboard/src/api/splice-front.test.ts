import { expect, test } from 'vitest';
import { spliceFront } from './splice-front.ts';

type Row = { readonly id: string; readonly status?: string };

const page = (rows: readonly (string | Row)[], cursor: string | null) => ({
  data: rows.map((row): Row => (typeof row === 'string' ? { id: row } : row)),
  has_more: cursor !== null,
  next_cursor: cursor,
});
const idsOf = (pages: readonly { readonly data: readonly Row[] }[]) =>
  pages.map(({ data }) => data.map(({ id }) => id).join(''));

const fetched = [page(['f', 'e', 'd'], 'd'), page(['c', 'b', 'a'], 'a')];

test('new rows stand in front, once each, and the pages after keep their rows and where they go on', () => {
  const spliced = spliceFront(fetched, page(['h', 'g', 'f'], 'f'));
  expect(idsOf(spliced)).toEqual(['hgfed', 'cba']);
  expect(spliced.map(({ next_cursor: cursor }) => cursor)).toEqual(['d', 'a']);
  expect(idsOf(spliceFront(spliced, page(['i', 'h', 'g'], 'g')))).toEqual(['ihgfed', 'cba']);
});

test('rows are as they are now, and those that are gone are left out', () => {
  const front = page([{ id: 'f', status: 'succeeded' }, 'd', 'c'], 'c');
  const spliced = spliceFront(fetched, front);
  expect(idsOf(spliced)).toEqual(['fdc', 'ba']);
  expect(spliced[0].data[0].status).toBe('succeeded');
  // The last of these pages has its own end, from which the next one is asked for.
  expect(spliced.at(-1)!.next_cursor).toBe('a');
});

test('more new rows than a page holds start the list anew', () => {
  const front = page(['l', 'k', 'j'], 'j');
  expect(spliceFront(fetched, front)).toEqual([front]);
});

test('a first page that is all of the list is the list', () => {
  const front = page(['f', 'e'], null);
  expect(spliceFront(fetched, front)).toEqual([front]);
  expect(spliceFront([page([], null)], page(['a'], null))).toEqual([page(['a'], null)]);
});
