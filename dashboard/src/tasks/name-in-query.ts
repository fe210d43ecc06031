/** Reserved words of a query. A name that is spelt like one of them is written in double quotes. */
const keywords: ReadonlySet<string> = new Set(
  'predict within for each where via every once from until as and or not is in null true false overdue'.split(' '),
);

/** A name of a table or column as a query takes it: in double quotes where it is no plain word. */
export function nameInQuery(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\d_]*$/u.test(name) && !keywords.has(name.toLowerCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The name that a query writes like this. */
export function nameOf(written: string): string {
  return written.startsWith('"') ? written.slice(1).replace(/"$/, '').replaceAll('""', '"') : written;
}

/** Whether a definition of a task is a query, and no YAML. */
export const isQuery = (definition: string): boolean => /^\s*PREDICT\b/i.test(definition);
