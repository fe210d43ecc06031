import type { Random } from '../../statistics/random.ts';
import { below, exponential, pick, poisson } from './draws.ts';
import { addEntity, type Draft, type EconomyEntity, type Relation, sectors } from './economy.ts';

/** Mean duration of a relation in days; a relation that outlasts the data has no end. */
const lastingDays: Readonly<Partial<Record<Relation, number>>> = {
  directs: 1500,
  supplies: 900,
  employs: 1100,
  located_at: 3000,
  uses_device: 900,
  guarantees: 1200,
};
/** Suppliers a company looks for per year, in addition to its initial ones. */
const suppliersPerYear = 0.9;
const insideCommunity = 0.75;
/**
 * Probability that a new supplier is found through partners: a supplier of another customer of one of the company's
 * suppliers.
 */
const throughPartners = 0.45;
/**
 * Probability that the owner of a company outside a group also owns the next ones; a third of the companies are then in
 * a group.
 */
const groupChance = 0.15;
const candidatesTried = 8;

/**
 * Draws who owns, directs, supplies, employs and guarantees whom, and which assets are used, with start and end days.
 * Companies trade inside their community three times out of four, buy from the sectors before their own, prefer large
 * suppliers, and find new ones through partners. A third of the companies share an owner with others.
 */
export function drawRelations(draft: Draft): void {
  const { companies, entities, random } = draft;
  const byCommunity = Map.groupBy(Array(companies).keys(), (c) => draft.community[c]);
  const pools: Pools = { directors: new Map(), addresses: new Map(), devices: new Map() };
  const suppliers = Array.from({ length: companies }, (): number[] => []);
  const customers = Array.from({ length: companies }, (): number[] => []);
  drawOwners(draft, byCommunity);
  const order = Array.from({ length: companies }, (_, c) => c).sort(
    (a, b) => entities[a].since - entities[b].since || a - b,
  );
  for (const c of order) drawPeople(draft, c, pools);
  type Search = { readonly company: number; readonly day: number };
  const searches: Search[] = [];
  for (const c of order) {
    const { since, size } = entities[c];
    const first = Math.max(since, draft.from - 900);
    const initial = 1 + poisson(random, 0.4 * size!);
    for (let i = 0; i < initial; i++) searches.push({ company: c, day: first + below(random, 400) });
    const later = poisson(random, (suppliersPerYear * (draft.until - first)) / 365);
    for (let i = 0; i < later; i++) searches.push({ company: c, day: first + below(random, draft.until - first) });
  }
  searches.sort((a, b) => a.day - b.day || a.company - b.company);
  for (const { company, day } of searches) {
    if (day >= draft.until) continue;
    const supplier = findSupplier(draft, company, day, byCommunity, suppliers, customers);
    if (supplier < 0) continue;
    suppliers[company].push(supplier);
    customers[supplier].push(company);
    add(draft, supplier, 'supplies', company, day, 0.3 + exponential(random, 0.7));
  }
}

type Pools = Record<'directors' | 'addresses' | 'devices', Map<number, number[]>>;

function drawOwners(draft: Draft, byCommunity: ReadonlyMap<number, readonly number[]>): void {
  const { random, entities } = draft;
  for (const members of byCommunity.values()) {
    let owner = -1;
    let left = 0;
    for (const c of members) {
      const { since, state } = entities[c];
      if (left > 0) {
        left--;
        add(draft, owner, 'owns', c, Math.max(since, entities[owner].since), 0.5 + 0.5 * random());
        continue;
      }
      const born = since - 8000 - below(random, 12000);
      const single = addEntity(draft, { kind: 'individual', since: born, state: state! });
      add(draft, single, 'owns', c, since, 1);
      if (random() >= groupChance) continue;
      // The next few companies of the community have the same owner: this company as a holding, or the person.
      owner = random() < 0.3 ? c : single;
      left = 1 + below(random, 4);
    }
  }
}

function drawPeople(draft: Draft, c: number, pools: Pools): void {
  const { random, entities, until } = draft;
  const { since, state, size } = entities[c];
  const community = draft.community[c];
  const person = (): EntityDraft => ({ kind: 'individual', since: since - 7000 - below(random, 12000), state: state! });
  const asset = (): EntityDraft => ({ kind: 'asset', since: since - below(random, 3000), state: state! });
  // Directors follow one another. The same people direct several companies of a community.
  for (let day = since; day < until; ) {
    const director = reuse(draft, pools.directors, community, 0.3, person);
    const fact = add(draft, director, 'directs', c, day, 1);
    if (Number.isNaN(fact.to)) break;
    day = fact.to + 1;
  }
  const staff = poisson(random, 0.8 * size!);
  for (let i = 0; i < staff; i++) {
    const day = since + below(random, Math.max(1, until - since));
    add(draft, c, 'employs', addEntity(draft, person()), day, 1);
  }
  for (let day = since; day < until; ) {
    const fact = add(draft, c, 'located_at', reuse(draft, pools.addresses, community, 0.15, asset), day, 1);
    if (Number.isNaN(fact.to)) break;
    day = fact.to + 1;
  }
  for (let day = since + 5; day < until; ) {
    const fact = add(draft, c, 'uses_device', reuse(draft, pools.devices, community, 0.08, asset), day, 1);
    if (Number.isNaN(fact.to)) break;
    day = fact.to + 1;
  }
  if (random() < 0.35 && c > 0) {
    const members = pools.directors.get(community)!;
    const day = since + below(random, Math.max(1, until - since));
    // Half of the guarantees are given by people, half by another company founded before that day.
    const other = below(random, draft.companies);
    const isCompany =
      random() < 0.5 && other !== c && entities[other].since < day && draft.community[other] === community;
    add(draft, isCompany ? other : pick(random, members), 'guarantees', c, day, 1);
  }
}

type EntityDraft = Omit<EconomyEntity, 'id'>;

/** With probability `chance` an existing entity of the community, else a new one that joins it. */
function reuse(
  draft: Draft,
  pool: Map<number, number[]>,
  community: number,
  chance: number,
  make: () => EntityDraft,
): number {
  const known = pool.get(community) ?? [];
  if (known.length > 0 && draft.random() < chance) return pick(draft.random, known);
  const made = addEntity(draft, make());
  known.push(made);
  pool.set(community, known);
  return made;
}

function findSupplier(
  draft: Draft,
  company: number,
  day: number,
  byCommunity: ReadonlyMap<number, readonly number[]>,
  suppliers: readonly (readonly number[])[],
  customers: readonly (readonly number[])[],
): number {
  const { random, entities } = draft;
  let best = -1;
  let liking = 0;
  for (let i = 0; i < candidatesTried; i++) {
    const known = random() < throughPartners ? throughPartner(random, company, suppliers, customers) : -1;
    const isNear = random() < insideCommunity;
    const candidate =
      known >= 0
        ? known
        : isNear
          ? pick(random, byCommunity.get(draft.community[company])!)
          : below(random, draft.companies);
    const { since, size, sector } = entities[candidate];
    if (candidate === company || since > day || suppliers[company].includes(candidate)) continue;
    const step = sectors.indexOf(entities[company].sector as never) - sectors.indexOf(sector as never);
    const fit = step >= 1 && step <= 3 ? 4 : step === 0 ? 1 : 0.4;
    const draw = fit * size! * random();
    if (draw > liking) [best, liking] = [candidate, draw];
  }
  return best;
}

/** A supplier of another customer of one of the company's suppliers; -1 for none. */
function throughPartner(
  random: Random,
  company: number,
  suppliers: readonly (readonly number[])[],
  customers: readonly (readonly number[])[],
): number {
  if (suppliers[company].length === 0) return -1;
  const fellow = pick(random, customers[pick(random, suppliers[company])]);
  return suppliers[fellow].length === 0 ? -1 : pick(random, suppliers[fellow]);
}

function add(draft: Draft, subject: number, relation: Relation, object: number, from: number, weight: number) {
  const lasting = lastingDays[relation];
  const end = lasting === undefined ? Number.NaN : from + 30 + Math.floor(exponential(draft.random, lasting));
  const fact = { subject, relation, object, from, to: end < draft.until ? end : Number.NaN, weight };
  draft.facts.push(fact);
  return fact;
}
