import { tableNames } from '../explain/names.ts';
import type { Anchors } from '../features/state.ts';
import { openReference } from '../graph/as-of/references.ts';
import { linkedSince } from '../graph/as-of/rows.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { hasPersonalKey } from '../graph/key-text.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import { type Flag, findFlags } from './flags.ts';
import { type Incidence, openIncidence } from './incidence.ts';
import { positiveSince } from './known.ts';
import type { Subject } from './walk.ts';
import { countWarmPaths } from './warm-paths.ts';

type Language = 'en' | 'pt-BR';

/** The links between entities, as known at each anchor. Each result depends on its own anchor only. */
export type Network = {
  /** Per anchor the links to known positives, for a JSON body. */
  flags(anchors: Anchors, language: Language): ToldFlag[][];
  /** Per anchor the number of paths through known positives. */
  warmPaths(anchors: Anchors): Float64Array;
};

export type ToldFlag = {
  readonly kind: Flag['kind'];
  readonly hops: number;
  /** A date; null where the link is not dated. */
  readonly since: string | null;
  /** `entity`: its key; null where the key is personal or is a number of a dictionary. `relation`: what is shared. */
  readonly path: readonly { readonly entity: string | null; readonly relation: string; readonly date: string | null }[];
  readonly text: string;
};

/** Reads the links of the tables. `labels`: those stored with the version. */
export function openNetwork(task: Task, tables: Tables, labels: Examples): Network {
  const entities = entityTable(task, tables);
  const incidence = openIncidence(tables, task.entity, task.hide);
  const since = positiveSince(task, tables, labels);
  const known = { since, shareAt: openShare(since, datesOf(entities)) };
  return {
    flags: (anchors, language) =>
      subjectsOf(tables, incidence, anchors).map((subject) =>
        findFlags(incidence, known, subject).map((flag) => tellFlag(flag, incidence, entities, language)),
      ),
    warmPaths: (anchors) =>
      Float64Array.from(subjectsOf(tables, incidence, anchors), (subject) => countWarmPaths(incidence, since, subject)),
  };
}

/** Since when each entity is in the tables, microseconds. */
function datesOf(entities: Table): Float64Array {
  const { rows, versions } = entities;
  const first = Array.from({ length: rows }, (_, row) => row).filter(
    (row) => !versions || versions.offsets[row + 1] > versions.offsets[row],
  );
  return Float64Array.from(first, (row) => linkedSince(entities, row));
}

/**
 * The share of the entities existing at a moment that were known positives by then, with Laplace smoothing: with few
 * entities it is near one half.
 */
function openShare(known: Float64Array, there: Float64Array): (readableUntil: number) => number {
  const [bad, all] = [known, there].map((dates) => dates.filter((date) => !Number.isNaN(date)).sort());
  const countBy = (dates: Float64Array, readableUntil: number) => firstAfter(dates, 0, dates.length, readableUntil);
  return (readableUntil) => {
    const count = countBy(bad, readableUntil);
    return (count + 1) / (Math.max(countBy(all, readableUntil), count) + 2);
  };
}

function subjectsOf(tables: Tables, { bases }: Incidence, anchors: Anchors): Subject[] {
  const { table, fresh, rows, own, readableUntil } = anchors;
  const links = fresh
    ? [...table.references].flatMap(([column, { table: name, values }]) =>
        values ? [] : [{ base: bases.get(name)!, follow: openReference(table, column, tables.get(name)!) }],
      )
    : null;
  return Array.from(rows, (row, i) => {
    const until = readableUntil[i];
    if (!links) return { entity: row, nodes: null, readableUntil: until };
    const nodes = links.flatMap(({ base, follow }) => {
      const to = follow(row, until);
      return to < 0 ? [] : [base + to];
    });
    return { entity: own[i], nodes, readableUntil: until };
  });
}

function tellFlag(flag: Flag, { bases }: Incidence, entities: Table, language: Language): ToldFlag {
  const path = flag.path.map(({ entity, node, since }) => ({
    entity: keyOf(entities, entity),
    relation: relationOf(bases, node),
    date: dayOf(since),
  }));
  const since = dayOf(flag.since);
  const relations = path.map(({ relation }) => relation);
  return { kind: flag.kind, hops: flag.hops, since, path, text: tell[language](flag, relations, since) };
}

/** The key of an entity; null if it is personal or stored as a number of a dictionary. */
function keyOf(table: Table, row: number): string | null {
  const [name] = table.contract.key;
  if (!table.columns.has(name) || hasPersonalKey(table) || table.numbers?.columns.has(name)) return null;
  return String(keyValue(table.columns.get(name)!, row));
}

function relationOf(bases: ReadonlyMap<string, number>, node: number): string {
  let found = '';
  // Tables are in order of their first node; a table without rows has no nodes.
  for (const [name, base] of bases) if (base <= node) found = name;
  return tableNames(found).one;
}

function dayOf(moment: number): string | null {
  return Number.isFinite(moment) ? new Date(moment / 1000).toISOString().slice(0, 10) : null;
}

const tell: Readonly<Record<Language, (flag: Flag, relations: readonly string[], since: string | null) => string>> = {
  en({ group }, relations, since) {
    const when = since === null ? '' : `, since ${since}`;
    if (!group) return `linked by ${relations.join(', then by ')} to a known bad actor${when}`;
    const shared = [...new Set(relations)].join(' or ');
    return `in a group of ${group.size} that share ${shared}, of whom ${group.bad} are known bad actors${when}`;
  },
  'pt-BR'({ group }, relations, since) {
    const when = since === null ? '' : `, desde ${since}`;
    if (!group) return `ligado por ${relations.join(', depois por ')} a um mau ator conhecido${when}`;
    const shared = [...new Set(relations)].join(' ou ');
    return `em um grupo de ${group.size} que compartilham ${shared}, dos quais ${group.bad} são maus atores conhecidos${when}`;
  },
};
