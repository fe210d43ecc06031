/** Most keys of a request. */
export const keysMax = 10_000;

/** The keys in a text that somebody has pasted: on lines, or with commas, semicolons or tabs between them; each once. */
export function readKeys(text: string): string[] {
  const parts = text.split(/[\n\r,;\t]+/).map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
  return [...new Set(parts.filter((part) => part !== ''))];
}
