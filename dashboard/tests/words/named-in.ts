/** The values that a sentence names, of those that stand in brackets and of the number 7; test support. */
export const namedIn = (text: string) => [...new Set(text.match(/\[[^\]]+\]|\b7\b/g))].sort();
