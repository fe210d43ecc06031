import { LastroError } from '../errors.ts';
import type { Answered, Page, Paged, Pending } from '../signatures.ts';

/** A promise of what was answered, which can tell what came around it as well. */
export function pending<T>(answered: Promise<Answered<T>>): Pending<T> {
  const data = answered.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks for all of it hears of a failure there.
      data.catch(() => {});
      return answered;
    },
  });
}

/** A promise of the first page, which can also be iterated over to the last entry of the last page. */
export function paged<T>(ask: (cursor: string | null) => Promise<Answered<Page<T>>>): Paged<Page<T>> {
  const first = ask(null);
  const page = pending(first);
  return Object.assign(page, {
    [Symbol.asyncIterator]() {
      page.catch(() => {});
      return entriesOf(first, ask);
    },
  });
}

async function* entriesOf<T>(
  first: Promise<Answered<Page<T>>>,
  ask: (cursor: string) => Promise<Answered<Page<T>>>,
): AsyncGenerator<T> {
  let { data: page } = await first;
  for (;;) {
    yield* page.data;
    const { next_cursor: cursor, has_more: hasMore } = page;
    if (!hasMore || cursor === null) return;
    ({ data: page } = await ask(cursor));
    if (page.next_cursor === cursor) throw new LastroError({ detail: 'the list goes on with the page that it was at' });
  }
}
