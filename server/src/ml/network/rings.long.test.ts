/**
 * Checks that the rings of synthetic economies are found, on seeds that no choice was based on; choices were made on
 * seeds 101 and 102. A company is flagged if it is reported to be in a suspicious cluster. Only companies that are not
 * known for fraud themselves are counted; each ring has one that is.
 */
import { describe, expect, test } from 'vitest';
import { drawRingWorld, economyContract, type RingWorld } from '../../../tests/support/economy-world.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { openNetwork, type ToldFlag } from './network.ts';

const dayOf = (text: string) => Date.parse(text) / 86_400_000;
const options = { companies: 2_000, from: dayOf('2018-01-01'), until: dayOf('2024-12-31') };
const asOf = (options.until + 1) * microsecondsPerDay;
const definition =
  'kind: fraud\nentity: company\nkey: company_id\ntarget: {table: fraud, reference: company_id, horizons: [180d]}\n';
const task = resolveTask(parseTask(definition, 'fraud', 'task.yaml'), economyContract, 'task.yaml');
const none = {
  ...{ rows: new Int32Array(0), at: new Float64Array(0) },
  ...{ labels: new Float64Array(0), closes: new Float64Array(0) },
};

describe.each([201, 202, 203, 204, 205, 206])('the economy of seed %i', (seed) => {
  const world = drawRingWorld({ ...options, seed });
  const flags = flagsOf(world);
  const known = new Map(world.data.fraud!.map(({ company_id, since }) => [String(company_id), Number(since)]));
  const planted = new Set(world.rings.flatMap(({ members }) => members).filter((member) => !known.has(member)));
  const clusters = [...flags]
    .filter(([company]) => !known.has(company))
    .flatMap(([company, own]) =>
      own.filter(({ kind }) => kind === 'suspicious_cluster').map((flag) => ({ company, flag })),
    );

  test('nine of ten ring members are flagged, and four of five flagged are ring members', () => {
    const found = clusters.filter(({ company }) => planted.has(company)).length;
    console.log(`seed ${seed}: ${found} of ${planted.size} members, ${clusters.length} flagged`);
    expect(planted.size).toBeGreaterThan(30);
    expect(found / planted.size).toBeGreaterThanOrEqual(0.9);
    expect(found / clusters.length).toBeGreaterThanOrEqual(0.8);
  });

  test('every path is in the data, with its dates, and ends at one who was known by then', () => {
    const standing = standingBy(world);
    for (const [company, own] of flags) {
      for (const { path, hops, since } of own) {
        expect(path).toHaveLength(hops);
        let from = company;
        for (const { entity, relation, date } of path) {
          const dates = datesOfPair(standing, from, entity!, relation);
          expect(dates, `${from} ${relation} ${entity}`).toContain(date);
          expect(date! <= since!).toBe(true);
          from = entity!;
        }
        expect(known.get(from)!).toBeLessThanOrEqual(Date.parse(`${since}T23:59:59Z`) * 1000);
      }
    }
  });
});

test('what is dated later changes nothing', () => {
  const world = drawRingWorld({ ...options, companies: 600, seed: 103 });
  const cut = asOf - 900 * microsecondsPerDay;
  const now = flagsOf(world, cut);
  expect([...now.values()].filter((own) => own.length > 0).length).toBeGreaterThan(5);
  expect(flagsOf(drawRingWorld({ ...options, companies: 600, seed: 103 }, cut), cut)).toEqual(now);
});

function flagsOf({ tables }: RingWorld, readableUntil = asOf): Map<string, ToldFlag[]> {
  const table = tables.get('company')!;
  const column = table.columns.get('company_id')!;
  const anchors = {
    ...{ table, fresh: false, ownTable: 'company' },
    rows: Int32Array.from({ length: table.rows }, (_, row) => row),
    own: new Int32Array(table.rows).fill(-1),
    at: new Float64Array(table.rows).fill(readableUntil),
    readableUntil: new Float64Array(table.rows).fill(readableUntil),
  };
  const told = openNetwork(task, tables, none).flags(anchors, 'en');
  return new Map(told.map((own, row) => [column.kind === 'text' ? column.dictionary[column.codes[row]] : '', own]));
}

/** The nodes (`relation node`) that each company is linked to, and since when, computed from the raw rows. */
function standingBy({ data }: RingWorld): Map<string, Map<string, number>> {
  const standing = new Map<string, Map<string, number>>();
  const stand = (company: unknown, node: string, since: unknown) => {
    const own = standing.get(String(company)) ?? new Map<string, number>();
    standing.set(String(company), own.set(node, Math.min(own.get(node) ?? Infinity, Number(since))));
  };
  const shared = {
    director: 'person',
    employee: 'person',
    owner: 'person',
    guarantor: 'person',
    use: 'device',
    seat: 'address',
  };
  for (const [table, to] of Object.entries(shared))
    for (const row of data[table]) {
      const parties = [row.company_id, row.owner_id ?? row.guarantor_id ?? null].filter((party) => party !== null);
      if (row[`${to}_id`] !== null) for (const party of parties) stand(party, `${to} ${row[`${to}_id`]}`, row.since);
    }
  const events = { supply: 'supplier_id', owner: 'owner_id', guarantor: 'guarantor_id' };
  for (const [table, other] of Object.entries(events))
    for (const [k, row] of data[table].entries())
      for (const party of [row.company_id, row[other]]) if (party !== null) stand(party, `${table} ${k}`, row.since);
  return standing;
}

/** The days since when two companies have shared each node of a relation. */
function datesOfPair(standing: ReturnType<typeof standingBy>, one: string, other: string, relation: string): string[] {
  return [...(standing.get(one) ?? [])].flatMap(([node, since]) => {
    const also = standing.get(other)?.get(node);
    if (also === undefined || !node.startsWith(`${relation} `)) return [];
    return [new Date(Math.max(since, also) / 1000).toISOString().slice(0, 10)];
  });
}
