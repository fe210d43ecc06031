import { isCollection, isMap, isScalar, isSeq, parseDocument, visit, YAMLSeq } from 'yaml';
import { isQuery, nameOf } from './name-in-query.ts';

/** What a definition can say of what gives the answer away: not to read it, or how. Each is a field of it. */
export const remedies = ['hide', 'outcome', 'ignore', 'trust'] as const;
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

/**
 * The remedies for what a training has found (`table.column`, or a table whose rows tell it), the usual one first.
 * `told`: those that the training told, which refusals of before do not have.
 */
export function remediesFor(at: string, entity: string | null, told?: Remedies): readonly Remedy[] {
  if (told) return remedies.filter((remedy) => told[remedy]?.includes(at));
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

/** A definition that asks no further ahead than so many days, the rest of it as it was written. */
export function askAtMost(definition: string, days: number): string {
  if (isQuery(definition)) return cutQuery(definition, days);
  const document = parseDocument(definition);
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || key.value !== 'horizons' || !isSeq(value)) return;
      value.items = value.items.filter((item) => isWithin(String(isScalar(item) ? item.value : item), days));
    },
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && isQuery(scalar.value)) scalar.value = cutQuery(scalar.value, days);
    },
  });
  return document.toString({ lineWidth: 0 });
}

function cutQuery(query: string, days: number): string {
  const written = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(WITHIN\s+)(\d+\s*[a-z]+(?:\s*,\s*\d+\s*[a-z]+)*)/gi;
  return query.replace(written, (all, within?: string, list?: string) =>
    within === undefined || list === undefined
      ? all
      : within +
        list
          .split(/\s*,\s*/)
          .filter((one) => isWithin(one, days))
          .join(', '),
  );
}

/** Whether a time ahead such as 12h, 30d or 1 year is no longer than so many days. */
function isWithin(time: string, days: number): boolean {
  const [, count, unit] = /^\s*(\d+)\s*([a-z])/i.exec(time) ?? [];
  const each = { h: 1 / 24, d: 1, w: 7, m: 30, q: 90, y: 365 }[unit?.toLowerCase() ?? ''];
  return each === undefined || Number(count) * each <= days;
}
