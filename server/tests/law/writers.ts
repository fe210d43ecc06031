// Which folders write which tables; test support.
import { forTests } from './places.ts';
import { type Tree, withoutComments } from './source.ts';

const writes = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)'/g,
  /\b(?:insert into|delete from|update)\s+(?!on\b|of\b)([a-z_]+)\b/g,
  /\btable: '(\w+)',\s*columns: \{/g,
];

/** Tables that several folders write. A folder is a room, or a resource in its room. */
export function twoWriters(tree: Tree): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [file, source] of Object.entries(tree)) {
    if (forTests.test(file) || file.startsWith('ml/') || file.startsWith('lib/')) continue;
    const code = withoutComments(source);
    for (const form of writes)
      for (const [, table] of code.matchAll(form)) {
        if (!tables(tree).has(table!)) continue;
        const folder = file
          .split('/')
          .slice(0, file.startsWith('resources/') ? 2 : 1)
          .join('/');
        writers.set(table!, (writers.get(table!) ?? new Set()).add(folder));
      }
  }
  return [...writers]
    .filter(([, folders]) => folders.size > 1)
    .map(([table, folders]) => `${table}: is written by ${[...folders].sort().join(' and ')}`);
}

/** Names of the tables there are. */
function tables(tree: Tree): ReadonlySet<string> {
  const types = tree['schema/tables.ts'] ?? '';
  const listed = /export interface DB \{([^}]*)\}/.exec(types)?.[1] ?? '';
  return new Set([...listed.matchAll(/^\s*(\w+):/gm)].map((match) => match[1]));
}
