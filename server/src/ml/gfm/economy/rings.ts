import { below, pick } from './draws.ts';
import { addEntity, type Draft, type EconomyFact, type Relation, type Ring } from './economy.ts';

const companiesPerRing = 150;
const membersMin = 4;
const membersMax = 6;
/** A ring forms within `formingDays`, and stops paying half a year to a year after that. */
const formingDays = 270;
const quietDaysMin = 180;
const quietDaysSpread = 180;
/** The other members follow the first within so many days. */
const burstDays = 150;

/**
 * Plants rings of 4 to 6 young companies, about one per 150 companies. Each member is linked to the next by something
 * they share from their founding on: a device, an address or a director. They supply each other in a circle. At
 * `burstAt` the first member stops paying and is recorded for fraud; each of the others follows within 150 days with
 * probability 0.8. The members replace ordinary companies, and also have the facts of ordinary companies.
 */
export function plantRings(draft: Draft): void {
  const { companies, random, from, until } = draft;
  const count = Math.max(1, Math.round(companies / companiesPerRing));
  const latest = until - formingDays - quietDaysMin - quietDaysSpread - burstDays;
  if (latest <= from) return;
  let next = 0;
  for (let ring = 0; ring < count && next + membersMax <= companies; ring++) {
    const size = membersMin + below(random, membersMax - membersMin + 1);
    const since = from + below(random, latest - from);
    const burstAt = since + formingDays + quietDaysMin + below(random, quietDaysSpread);
    const members = Array.from({ length: size }, (_, i) => next + i);
    next += size;
    for (const [place, member] of members.entries()) {
      const founded = since + below(random, formingDays);
      draft.entities[member] = { ...draft.entities[member], since: founded, size: 1 };
      draft.isThin[member] = 1;
      if (place === 0) draft.burstAt[member] = burstAt;
      else if (random() < 0.8) draft.burstAt[member] = burstAt + 15 + below(random, burstDays - 15);
    }
    draft.rings.push({ members, since, burstAt, path: linkMembers(draft, members) });
  }
}

function linkMembers(draft: Draft, members: readonly number[]): Ring['path'] {
  const { random, entities } = draft;
  return members.map((member, place) => {
    const next = members[(place + 1) % members.length];
    const relation: Relation = pick(random, ['uses_device', 'located_at', 'directs'] as const);
    const founded = [entities[member].since, entities[next].since];
    const since = Math.min(...founded) - below(random, 300);
    const via =
      relation === 'directs'
        ? addEntity(draft, { kind: 'individual', since: since - 9000, state: entities[member].state! })
        : addEntity(draft, { kind: 'asset', since, state: entities[member].state! });
    for (const each of [member, next]) share(draft, relation, each, via, entities[each].since);
    const from = Math.max(...founded) + 10 + below(random, 60);
    draft.facts.push({ subject: member, relation: 'supplies', object: next, from, to: Number.NaN, weight: 2 });
    return { from: member, to: next, via, relation };
  });
}

function share(draft: Draft, relation: Relation, member: number, via: number, from: number): void {
  const [subject, object] = relation === 'directs' ? [via, member] : [member, via];
  const fact: EconomyFact = { subject, relation, object, from, to: Number.NaN, weight: 1 };
  draft.facts.push(fact);
}
