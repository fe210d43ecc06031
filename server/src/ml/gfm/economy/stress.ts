import { exponential, normal, poisson } from './draws.ts';
import {
  addEntity,
  type Draft,
  daysPerMonth,
  type EconomyFact,
  type Payment,
  records,
  sectors,
  states,
} from './economy.ts';

const persistence = 0.85;
const fromSuppliers = 0.34;
const fromOwners = 0.1;
const fromGuaranteed = 0.1;
/** Months until stress of one company affects another. */
const supplierDelayMonths = 3;
const ownerDelayMonths = 2;
const afterDefault = 4;
const afterDefaultMonths = 9;
const stressMax = 4;
/** Stress below this is not passed on. */
const unfelt = 1;
const shockChance = 0.012;
const shockMean = 2;
const commonShockChance = 0.006;
const commonShockMean = 0.8;
const baseHazard = 0.0006;
const byFrailty = 0.5;
const byStress = 1.3;
/** Public records: the expected number per month without stress, and its exponential growth with stress. */
const baseRecords = 0.012;
const recordsByStress = 1.1;
const relationEndsDays = 120;
const paymentsPerMonth = 2.5;
const thinPaymentsPerMonth = 0.12;
const lawsuitShare = 0.2;
/** Share of the defaults that are recorded as insolvencies, 10 to 60 days later. */
const insolvencyShare = 0.5;

/**
 * Simulates stress: it arises, spreads and leads to default, month by month (30 days). With y_j(m) = max(0, min(x_j(m),
 * 4) − 1), and 4 more in the nine months after j's default:
 * - x_i(m) = 0.85 x_i(m−1) + own shock + shock of sector and state + 0.34 Σ_j s_ij y_j(m−3) + 0.10 max_k y_k(m−2) +
 *   0.10 max_g y_g(m−2). j: suppliers active in m; s_ij: their share of what i buys. k: companies that share an owner
 *   with i, own it, or are owned by it. g: companies that i guarantees.
 * - P(default in m) = 1 − exp(−0.0006 exp(0.5 frailty_i + 1.3 min(x_i(m), 4)))
 * - public records in m ~ Poisson(0.012 exp(1.1 min(x_i(m), 4)))
 * - days late of a payment ~ 3 N(0,1) + 7 x_i(m)
 *
 * A fifth of the records are lawsuits, the others protests. Half of the defaults are recorded as insolvencies 10 to 60
 * days later. Own shocks have probability 0.012 and mean 2, common ones 0.006 and 0.8, both exponential; frailty is
 * within ±1.5. A ring's member defaults on its day whatever its stress. After a default a company makes no more
 * payments, and all its relations end within 120 days. More than half of the companies pay so seldom (0.12 payments a
 * month) that their own payments tell hardly anything.
 */
export function spreadStress(draft: Draft): {
  payments: Payment[];
  defaultedAt: Float64Array;
  stress: Float32Array;
  hazard: Float32Array;
} {
  const { companies, months, random, entities, from, until } = draft;
  const stress = new Float32Array(companies * months);
  const hazard = new Float32Array(companies * months);
  const defaultedAt = new Float64Array(companies).fill(Number.NaN);
  const payments: Payment[] = [];
  const ties = tiesOf(draft);
  const registers = new Map(
    records.map((name) => [
      name,
      addEntity(
        draft,
        { kind: 'other', since: from - 20_000 },
        `SYN-${name.slice('has_'.length).toUpperCase()}-REGISTER`,
      ),
    ]),
  );
  const record = (company: number, relation: (typeof records)[number], day: number) =>
    draft.facts.push({ subject: company, relation, object: registers.get(relation)!, from: day, to: day, weight: 1 });
  const passedOn = (j: number, m: number): number => {
    if (m < 0) return 0;
    const since = m - (defaultedAt[j] - from) / daysPerMonth;
    const felt = Math.min(stress[j * months + m], stressMax);
    return Math.max(0, felt - unfelt) + (since >= 0 && since <= afterDefaultMonths ? afterDefault : 0);
  };
  const largest = (others: readonly number[], m: number) =>
    others.reduce((most, k) => Math.max(most, passedOn(k, m)), 0);
  for (let m = 0; m < months; m++) {
    const monthStart = from + m * daysPerMonth;
    const common = Float64Array.from({ length: sectors.length * states.length }, () =>
      random() < commonShockChance ? exponential(random, commonShockMean) : 0,
    );
    for (let i = 0; i < companies; i++) {
      const { since, sector, state } = entities[i];
      if (since > monthStart || defaultedAt[i] <= monthStart) continue;
      const before = m > 0 ? stress[i * months + m - 1] : 0;
      const own = random() < shockChance ? exponential(random, shockMean) : 0;
      const shared = common[sectors.indexOf(sector as never) * states.length + states.indexOf(state as never)];
      const x =
        persistence * before +
        own +
        shared +
        fromSuppliers * supplied(ties.suppliers[i], monthStart, (j) => passedOn(j, m - supplierDelayMonths)) +
        fromOwners * largest(ties.siblings[i], m - ownerDelayMonths) +
        fromGuaranteed * largest(ties.guaranteed[i], m - ownerDelayMonths);
      stress[i * months + m] = x;
      const felt = Math.min(x, stressMax);
      const rate = baseHazard * Math.exp(byFrailty * draft.frailty[i] + byStress * felt);
      hazard[i * months + m] = 1 - Math.exp(-rate);
      const dayIn = () => monthStart + Math.floor(random() * daysPerMonth);
      const entries = poisson(random, baseRecords * Math.exp(recordsByStress * felt));
      for (let k = 0; k < entries; k++) record(i, random() < lawsuitShare ? 'has_lawsuit' : 'has_protest', dayIn());
      const paid = poisson(random, draft.isThin[i] ? thinPaymentsPerMonth : paymentsPerMonth);
      for (let k = 0; k < paid; k++) {
        const due = dayIn();
        const late = Math.max(-5, Math.round(3 * normal(random) + 7 * x));
        const amount = 500 * entities[i].size! * Math.exp(0.8 * normal(random));
        if (due + late <= until) payments.push({ company: i, due, paid: due + late, amount });
      }
      const bursts = draft.burstAt[i] < monthStart + daysPerMonth;
      if (!bursts && !(random() < hazard[i * months + m])) continue;
      defaultedAt[i] = bursts ? Math.max(draft.burstAt[i], monthStart) : dayIn();
      if (isFirstOfRing(draft, i)) record(i, 'has_fraud', defaultedAt[i]);
      if (random() < insolvencyShare)
        record(i, 'has_insolvency', Math.min(until, defaultedAt[i] + 10 + Math.floor(random() * 50)));
      endRelations(draft, ties.facts[i], defaultedAt[i] + Math.floor(random() * relationEndsDays));
    }
  }
  const made = payments.filter(({ company, paid }) => !(paid > defaultedAt[company]));
  return { payments: made.sort((a, b) => a.paid - b.paid || a.company - b.company), defaultedAt, stress, hazard };
}

type Ties = {
  readonly suppliers: readonly EconomyFact[][];
  readonly siblings: readonly number[][];
  readonly guaranteed: readonly number[][];
  readonly facts: readonly EconomyFact[][];
};

function tiesOf({ companies, facts }: Draft): Ties {
  const lists = <T>() => Array.from({ length: companies }, (): T[] => []);
  const ties = {
    suppliers: lists<EconomyFact>(),
    siblings: lists<number>(),
    guaranteed: lists<number>(),
    facts: lists<EconomyFact>(),
  };
  const owned = new Map<number, number[]>();
  for (const fact of facts) {
    const { subject, relation, object } = fact;
    if (subject < companies) ties.facts[subject].push(fact);
    if (object < companies) ties.facts[object].push(fact);
    if (relation === 'supplies') ties.suppliers[object].push(fact);
    if (relation === 'guarantees' && subject < companies) ties.guaranteed[subject].push(object);
    if (relation === 'owns') owned.set(subject, [...(owned.get(subject) ?? []), object]);
  }
  for (const [owner, members] of owned) {
    const group = owner < companies ? [owner, ...members] : members;
    for (const member of group) ties.siblings[member].push(...group.filter((other) => other !== member));
  }
  return ties;
}

/** The mean over suppliers active on `day`, weighted by their supplies; 0 without any. */
function supplied(facts: readonly EconomyFact[], day: number, of: (supplier: number) => number): number {
  let total = 0;
  let weights = 0;
  for (const { subject, from, to, weight } of facts) {
    if (from > day || to <= day) continue;
    weights += weight;
    total += weight * of(subject);
  }
  return weights === 0 ? 0 : total / weights;
}

function isFirstOfRing({ rings }: Draft, company: number): boolean {
  return rings.some(({ members }) => members[0] === company);
}

function endRelations(draft: Draft, facts: readonly EconomyFact[], day: number): void {
  if (day >= draft.until) return;
  // A fact that would begin after that day ends when it begins, and is left out when facts are written.
  for (const fact of facts) if (!(fact.to <= day)) fact.to = Math.max(fact.from, day);
}
