import { isCollection, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import { nameOf } from './name-in-query.ts';

/** What a definition can say of what gives the answer away: not to read it, or how. Each is a field of it. */
export const remedies = ['hide', 'outcome', 'trust', 'ignore'] as const;
export type Remedy = (typeof remedies)[number];
/** The columns (`table.column`; of `ignore` the tables) that each field is to name besides. */
export type Remedies = Readonly<Partial<Record<Remedy, readonly string[]>>>;

/** Reads remedies out of an address, which may hold anything. */
export function readRemedies(given: unknown): Remedies {
  const fields = (typeof given === 'object' ? given : null) as Readonly<Record<string, unknown>> | null;
  return Object.fromEntries(
    remedies.flatMap((field) => {
      const columns = fields?.[field];
      return Array.isArray(columns) ? [[field, columns.filter((one) => typeof one === 'string')]] : [];
    }),
  );
}

/** The remedies for what a training has found (`table.column`, or a table whose rows tell it), the usual one first. */
export function remediesFor(at: string, entity: string | null): readonly Remedy[] {
  if (at === entity) return ['trust'];
  // Names may have dots, of which the last one parts them; an entity may have one in its own name.
  const ofEntity = entity !== null && at.startsWith(`${entity}.`);
  if (ofEntity) return ['hide', 'outcome', 'trust'];
  return at.includes('.') ? ['hide', 'trust'] : ['ignore', 'trust'];
}

/** The table that a definition asks about; null where it cannot be read. */
export function entityOf(definition: string): string | null {
  const of = (query: string) => {
    const written = /\bFOR\s+("(?:[^"]|"")+"|[^\s"]+)/i.exec(query.replace(/'(?:[^']|'')*'/g, "''"))?.[1];
    return written === undefined ? null : nameOf(written);
  };
  if (isQuery(definition)) return of(definition);
  const { contents } = parseDocument(definition);
  if (!isMap(contents)) return null;
  const [entity, query] = [contents.get('entity'), contents.get('query')];
  return typeof entity === 'string' ? entity : typeof query === 'string' ? of(query) : null;
}

/**
 * A definition with what is to be done about columns, the rest of it as it was written. A query becomes a field of
 * YAML, which alone has room for them. Throws what is no YAML.
 */
export function withRemedies(definition: string, asked: Remedies): string {
  const document = parseDocument(isQuery(definition) ? '' : definition);
  const [error] = document.errors;
  if (error) throw error;
  if (isQuery(definition)) document.set('query', definition.trim());
  const entity = entityOf(definition);
  for (const field of remedies) {
    // An outcome is a column of the table that is asked about, which is not named again.
    const added = (asked[field] ?? []).map((at) =>
      field === 'outcome' && entity !== null && at.startsWith(`${entity}.`) ? at.slice(entity.length + 1) : at,
    );
    if (added.length === 0) continue;
    const named = document.get(field, true);
    const list = isSeq(named) ? named : new YAMLSeq();
    if (!isSeq(named)) {
      list.flow = true;
      if (named && !isCollection(named)) list.add(named);
      document.set(field, list);
    }
    const before: unknown[] = list.toJSON();
    for (const at of added) if (!before.includes(at)) list.add(document.createNode(at));
  }
  return document.toString({ lineWidth: 0 });
}

const isQuery = (definition: string): boolean => /^\s*PREDICT\b/i.test(definition);
