/** Addresses however they are put: on lines, by commas, from a mail program as `Name <address>`. Each is told once. */
export function addressesIn(text: string): readonly string[] {
  const found = text
    .split(/[\n,;]+/)
    .map((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [...new Set(found)];
}
