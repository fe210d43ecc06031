/** The entries of a list of the API through all its pages, or the first `most` of them. */
export async function readAll<T>(list: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of list) {
    if (found.length >= most) break;
    found.push(one);
  }
  return found;
}
