export type Query = Readonly<Record<string, unknown>>;

/** A path of the service. Throws TypeError for a part with which it would be another address: none, or dots alone. */
export function addressOf(path: string, places: readonly unknown[], query: Query): string {
  let at = 0;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = places[at++];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be an id or a name; it is ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]));
  return asked.length === 0 ? filled : `${filled}?${search}`;
}
