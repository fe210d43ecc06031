/**
 * The one text of a JSON value, for hashing and signing: sorted members, no white space, numbers and texts as
 * ECMAScript writes them (RFC 8785). What JSON leaves out, such as members that are undefined, is left out. Throws for
 * a number that JSON does not have.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no ${value}`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  // By UTF-16 code units, as JavaScript sorts texts.
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member !== undefined) text += `${text ? ',' : ''}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
