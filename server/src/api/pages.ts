/** The maximum number of rows read at once for a stream. */
export const pageMost = 100;

export type Pages<P, R> = {
  /** Returns the first rows of a place after a position. */
  after(place: P, position: number): Promise<readonly R[]>;
};

/**
 * Reads pages for streams. Streams that ask for the same page of a place (`keyOf`) at the same time, as most do, share
 * one read.
 */
export function openPages<P, R>(
  keyOf: (place: P) => string,
  read: (place: P, after: number, most: number) => Promise<readonly R[]>,
): Pages<P, R> {
  const reading = new Map<string, Promise<readonly R[]>>();
  return {
    after(place, position) {
      const key = `${keyOf(place)} ${position}`;
      let page = reading.get(key);
      if (!page) {
        page = read(place, position, pageMost).finally(() => reading.delete(key));
        reading.set(key, page);
      }
      return page;
    },
  };
}
