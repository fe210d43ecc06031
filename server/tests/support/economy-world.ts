/** A made-up economy as tables of a customer, for measuring who is flagged in it; test support. */

import { microsecondsPerDay } from '../../src/ml/contract/contract.ts';
import { drawEconomy } from '../../src/ml/gfm/economy/draw.ts';
import type { EconomyOptions } from '../../src/ml/gfm/economy/economy.ts';
import type { Tables } from '../../src/ml/graph/tables.ts';
import { type Data, type Row, sampleContract, sampleTables } from '../samples.ts';

const linked = { since: 'timestamp', company_id: 'string' } as const;

/** Every relation of the economy in a table of its own; the records of fraud are what is asked about. */
export const economyContract = sampleContract([
  { name: 'person', key: 'person_id', columns: { person_id: 'string' } },
  { name: 'device', key: 'device_id', columns: { device_id: 'string' } },
  { name: 'address', key: 'address_id', columns: { address_id: 'string' } },
  {
    name: 'company',
    key: 'company_id',
    time: 'founded',
    columns: { company_id: 'string', founded: 'timestamp' },
  },
  link('director', { person_id: 'person' }),
  link('employee', { person_id: 'person' }),
  link('owner', { person_id: 'person', owner_id: 'company' }),
  link('guarantor', { person_id: 'person', guarantor_id: 'company' }),
  link('use', { device_id: 'device' }),
  link('seat', { address_id: 'address' }),
  link('supply', { supplier_id: 'company' }),
  { name: 'fraud', time: 'since', references: { company_id: 'company' }, columns: linked },
]);

function link(name: string, to: Readonly<Record<string, string>>) {
  return {
    ...{ name, time: 'since' },
    references: { company_id: 'company', ...to },
    columns: { ...linked, ...Object.fromEntries(Object.keys(to).map((column) => [column, 'string' as const])) },
  };
}

export type RingWorld = {
  readonly tables: Tables;
  readonly data: Data;
  readonly rings: readonly { readonly members: readonly string[]; readonly burstAt: number }[];
};

/**
 * Draws an economy and reads it as tables, without what is dated after `until` (microseconds), with the rings that were
 * planted.
 */
export function drawRingWorld(options: EconomyOptions, until = Number.POSITIVE_INFINITY): RingWorld {
  const { entities, facts, companies, rings } = drawEconomy(options);
  const id = (entity: number) => entities[entity].id;
  const when = (day: number) => day * microsecondsPerDay;
  const data: Record<string, Row[]> = Object.fromEntries(economyContract.tables.map(({ name }) => [name, []]));
  const named = new Set<string>();
  const add = (table: string, entity: number) => {
    if (named.has(`${table} ${entity}`)) return id(entity);
    named.add(`${table} ${entity}`);
    data[table].push({ [`${table}_id`]: id(entity) });
    return id(entity);
  };
  for (let company = 0; company < companies; company++)
    data.company!.push({ company_id: id(company), founded: when(entities[company].since) });
  for (const { subject, relation, object, from } of facts) {
    const since = when(from);
    if (since > until) continue;
    /** The other end of a link to `company`, a person or a company. */
    const other = (end: number, column: string): Row =>
      end < companies ? { [column]: id(end), person_id: null } : { person_id: add('person', end), [column]: null };
    const own = { since, company_id: id(object) };
    if (relation === 'owns') data.owner!.push({ ...own, ...other(subject, 'owner_id') });
    if (relation === 'guarantees') data.guarantor!.push({ ...own, ...other(subject, 'guarantor_id') });
    if (relation === 'directs') data.director!.push({ ...own, person_id: add('person', subject) });
    if (relation === 'supplies') data.supply!.push({ ...own, supplier_id: id(subject) });
    const of = { since, company_id: id(subject) };
    if (relation === 'employs') data.employee!.push({ ...of, person_id: add('person', object) });
    if (relation === 'uses_device') data.use!.push({ ...of, device_id: add('device', object) });
    if (relation === 'located_at') data.seat!.push({ ...of, address_id: add('address', object) });
    if (relation === 'has_fraud') data.fraud!.push(of);
  }
  return {
    tables: sampleTables(economyContract, data),
    data,
    rings: rings.map(({ members, burstAt }) => ({ members: members.map(id), burstAt: when(burstAt) })),
  };
}
