/**
 * The places at which two JSON values differ, as JSON Pointers (RFC 6901) in the order of the first, at most `most`; ''
 * where the values themselves are of different kinds. A list that is longer than the other differs at each further
 * place.
 */
export function jsonDifferences(one: unknown, other: unknown, most: number): string[] {
  const found: string[] = [];
  compare(one, other, '', (path) => {
    found.push(path);
    return found.length < most;
  });
  return found;
}

/** Tells each place to `tell` until it returns false. Returns whether it never did. */
function compare(one: unknown, other: unknown, path: string, tell: (path: string) => boolean): boolean {
  if (one === other) return true;
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return tell(path);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const name of names) {
    const [a, b] = [one, other].map((each) => (Object.hasOwn(each, name) ? each[name] : absent));
    if (!compare(a, b, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, tell)) return false;
  }
  return true;
}

/** Is no JSON value, so that what is absent differs from what is null. */
const absent = Symbol('absent');

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
