import { Failure } from '../../../lib/failure.ts';
import { seedRandom } from '../../statistics/random.ts';
import {
  type Draft,
  daysPerMonth,
  type Economy,
  type EconomyOptions,
  entityId,
  isRecord,
  sectors,
  states,
} from './economy.ts';
import { drawRelations } from './relations.ts';
import { plantRings } from './rings.ts';
import { spreadStress } from './stress.ts';

const companiesMin = 50;
const companiesMax = 200_000;
const daysMin = 2 * 365;
const daysMax = 15 * 366;
/** Mean size of a community of companies that trade mostly with each other. */
const communitySize = 30;
const thinShare = 0.55;
const foundedBeforeShare = 0.7;

/**
 * Draws a synthetic economy: companies, the people and assets around them, dated facts between them, payments, public
 * records, defaults and fraud rings. `spreadStress` describes how stress spreads along relations and leads to default,
 * `plantRings` the rings. companies: 50 to 200,000; from, until: 2 to 15 years apart. The same options give the same
 * economy. Throws Failure 'invalid' for options out of range.
 */
export function drawEconomy(options: EconomyOptions): Economy {
  const { companies, seed, from, until } = options;
  if (!(Number.isInteger(companies) && companies >= companiesMin && companies <= companiesMax))
    throw new Failure('invalid', `companies must be a whole number from ${companiesMin} to ${companiesMax}`);
  if (!(Number.isSafeInteger(seed) && seed >= 0)) throw new Failure('invalid', 'seed must be a whole number from 0');
  if (!(until - from >= daysMin && until - from <= daysMax))
    throw new Failure('invalid', 'from and until must be 2 to 15 years apart');
  const draft = drawCompanies(options);
  plantRings(draft);
  drawRelations(draft);
  const { random: _, ...economy } = { ...draft, ...spreadStress(draft) };
  const facts = economy.facts.filter(({ relation, from, to }) => isRecord(relation) || !(to <= from));
  return { ...economy, facts };
}

function drawCompanies(options: EconomyOptions): Draft {
  const { companies, seed, from, until } = options;
  const random = seedRandom(seed);
  const months = Math.floor((until - from + 1) / daysPerMonth);
  const communities = Math.max(1, Math.round(companies / communitySize));
  const homes = Array.from({ length: communities }, () => Math.floor(random() * states.length));
  const draft: Draft = {
    ...{ companies, seed, from, until, random, months },
    ...{ entities: [], facts: [], rings: [] },
    frailty: new Float64Array(companies),
    isThin: new Uint8Array(companies),
    community: new Int32Array(companies),
    burstAt: new Float64Array(companies).fill(Number.NaN),
  };
  for (let c = 0; c < companies; c++) {
    const community = Math.floor(random() * communities);
    draft.community[c] = community;
    draft.isThin[c] = random() < thinShare ? 1 : 0;
    draft.frailty[c] = random() + random() + random() - 1.5;
    const state = random() < 0.8 ? homes[community] : Math.floor(random() * states.length);
    const isOld = random() < foundedBeforeShare;
    const since = isOld ? from - 30 - Math.floor(random() * 5000) : from + Math.floor(random() * (until - from - 180));
    draft.entities.push({
      id: entityId('company', c),
      kind: 'company',
      since,
      sector: sectors[Math.floor(random() * sectors.length)],
      state: states[state],
      size: 1 + Math.floor(4 * random() ** 2.5),
    });
  }
  return draft;
}
