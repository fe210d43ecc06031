/**
 * Draws the lender's cards, and card fraud. The steps in the order of drawing:
 *
 * 1. Four of five accounts get a card within two months. Households of one to three hold cards that are delivered to
 *    one address; one household in eight uses a locker, which about 25 cards share. Each card has a phone, replaced
 *    about every two and a half years. A third of the households with several cards share a tablet.
 * 2. There is about one ring per 90 cards: four to seven cards issued within months of each other. Each is used on the
 *    phone of an earlier member, about one in three on the phones of two. Most are sent again to an empty flat. For
 *    four to eight months nothing happens. Then the members spend much, and one is charged back; each other member
 *    follows within 150 days with probability 0.85. Members live in ordinary households.
 * 3. One in forty of the other cards is charged back once: its number was stolen, and no card near it is involved.
 */
import { textOf } from './lender-calendar.ts';
import { Random } from './lender-random.ts';

const cardShare = 0.8;
const cardsPerLocker = 25;
const lockerShare = 0.12;
const phoneDays = 900;
const tabletShare = 0.35;
const purchasesPerDay = 0.012;
const cardsPerRing = 90;
const membersMin = 4;
const membersMax = 7;
/** Members of a ring are drawn from this many cards issued one after the other. */
const issuedNear = 40;
const formingDays = 60;
const quietDaysMin = 120;
const quietDaysSpread = 120;
const burstDays = 150;
const flatShare = 0.92;
const secondPhoneShare = 0.3;
const followShare = 0.85;
const stolenShare = 0.025;

/** A row of a table: its fields in the order of the contract. */
export type Fields = readonly string[];

export type DrawOptions = { readonly seed: number; readonly from: number; readonly until: number };

/** The account that a card belongs to, and the day it was opened. */
export type Account = { readonly id: string; readonly opened: number };

export type DrawnCards = {
  readonly tables: Readonly<
    Record<'devices' | 'addresses' | 'cards' | 'deliveries' | 'purchases' | 'chargebacks', Fields[]>
  >;
  readonly rings: readonly CardRing[];
};

/** A planted ring, which no table shows. */
export type CardRing = {
  readonly members: readonly string[];
  /** Members that are not charged back by the end of the data. */
  readonly unknown: readonly string[];
  /** The day of its first fraud. */
  readonly burstAt: number;
};

type Card = {
  readonly id: string;
  readonly account: string;
  readonly issued: number;
  readonly address: string;
  /** The devices that the card is used on, and the first day of each. */
  readonly devices: { readonly id: string; readonly since: number }[];
  /** The middle of the days of heavy spending; NaN for none. */
  burst: number;
};

/**
 * Draws the cards of these accounts over the period, in days since 1970-01-01. The same options give the same cards.
 */
export function drawCards(accounts: readonly Account[], { seed, from, until }: DrawOptions): DrawnCards {
  const tables: DrawnCards['tables'] = {
    ...{ devices: [], addresses: [], cards: [], deliveries: [], purchases: [], chargebacks: [] },
  };
  const cards = drawHouseholds(accounts, tables, seed, until);
  const deliver = (card: Card, address: string, day: number) =>
    tables.deliveries.push([idOf('V', tables.deliveries.length), card.id, address, textOf(day)]);
  for (const card of cards) deliver(card, card.address, card.issued + 4);
  const report = (card: Card, day: number, random: Random) => {
    const amount = 300 * Math.exp(0.8 * random.normal());
    tables.chargebacks.push([idOf('F', tables.chargebacks.length), card.id, textOf(day), amount.toFixed(2)]);
  };
  const rings = plantRings(cards, { seed, from, until }, () => newAddress(tables, 'home'), deliver, report);
  for (const [at, card] of cards.entries()) {
    const random = new Random(seed, 22, at);
    if (Number.isNaN(card.burst) && random.chance(stolenShare))
      report(card, card.issued + 30 + random.below(until - card.issued - 29), random);
    drawPurchases(card, tables, until, new Random(seed, 23, at));
  }
  for (const { id, account, issued } of cards) tables.cards.push([id, account, textOf(issued)]);
  return { tables, rings };
}

function drawHouseholds(
  accounts: readonly Account[],
  tables: DrawnCards['tables'],
  seed: number,
  until: number,
): Card[] {
  const random = new Random(seed, 20);
  const cards: Card[] = [];
  const lockers = Math.max(1, Math.round((accounts.length * cardShare * lockerShare) / cardsPerLocker));
  const newDevice = (kind: string) => {
    tables.devices.push([idOf('D', tables.devices.length), kind]);
    return tables.devices.at(-1)![0];
  };
  const lockerAddresses = Array.from({ length: lockers }, () => newAddress(tables, 'locker'));
  let left = 0;
  let address = '';
  let tablet: string | null = null;
  for (const { id, opened } of accounts) {
    const issued = opened + 5 + random.below(60);
    if (!random.chance(cardShare) || issued > until - 30) continue;
    if (left === 0) {
      left = random.pick([1, 1, 2, 2, 3]);
      address = random.chance(lockerShare) ? random.pick(lockerAddresses) : newAddress(tables, 'home');
      tablet = left > 1 && random.chance(tabletShare) ? newDevice('tablet') : null;
    }
    left--;
    const devices = tablet === null ? [] : [{ id: tablet, since: issued }];
    for (let since = issued; since <= until; since += 200 + Math.floor(random.exponential(phoneDays - 200)))
      devices.push({ id: newDevice('phone'), since });
    cards.push({ id: idOf('C', cards.length), account: id, issued, address, devices, burst: Number.NaN });
  }
  return cards;
}

function newAddress({ addresses }: DrawnCards['tables'], kind: string): string {
  addresses.push([idOf('H', addresses.length), kind]);
  return addresses.at(-1)![0];
}

function plantRings(
  cards: readonly Card[],
  { seed, from, until }: DrawOptions,
  newAddress: () => string,
  deliver: (card: Card, address: string, day: number) => void,
  report: (card: Card, day: number, random: Random) => void,
): CardRing[] {
  const random = new Random(seed, 21);
  const latest = until - formingDays - quietDaysMin - quietDaysSpread - burstDays;
  const byDay = cards.filter(({ issued }) => issued >= from && issued <= latest).sort((a, b) => a.issued - b.issued);
  const rings: CardRing[] = [];
  for (let ring = 0; ring < Math.round(cards.length / cardsPerRing); ring++) {
    const start = random.below(Math.max(1, byDay.length - issuedNear));
    const free = byDay.slice(start, start + issuedNear).filter(({ burst }) => Number.isNaN(burst));
    const size = membersMin + random.below(membersMax - membersMin + 1);
    if (free.length < size) continue;
    const members = Array.from({ length: size }, () => free.splice(random.below(free.length), 1)[0]);
    const formed = Math.max(...members.map(({ issued }) => issued));
    const flat = newAddress();
    const burstAt = formed + formingDays + quietDaysMin + random.below(quietDaysSpread);
    for (const [place, member] of members.entries()) {
      member.burst = burstAt;
      const day = () => formed + random.below(formingDays);
      if (random.chance(flatShare)) deliver(member, flat, day());
      if (place === 0) continue;
      const phones = random.chance(secondPhoneShare) ? 2 : 1;
      for (let k = 0; k < phones; k++) {
        // The phone that an earlier member uses when the ring forms.
        const phone = members[random.below(place)].devices.findLast(({ since }) => since <= formed)!;
        if (member.devices.every(({ id }) => id !== phone.id)) member.devices.push({ id: phone.id, since: day() });
      }
    }
    const unknown: string[] = [];
    for (const [place, member] of members.entries()) {
      const follows = random.chance(followShare);
      const day = burstAt + (place === 0 ? 0 : 5 + random.below(burstDays - 5));
      if ((place > 0 && !follows) || day > until) unknown.push(member.id);
      else report(member, day, random);
    }
    rings.push({ members: members.map(({ id }) => id), unknown, burstAt });
  }
  return rings;
}

/** Draws the purchases over the app, on a device that the card has at that time. Each device is used at least once. */
function drawPurchases(
  { id, issued, devices, burst }: Card,
  tables: DrawnCards['tables'],
  until: number,
  random: Random,
) {
  const usual = Math.exp(Math.log(90) + 0.5 * random.normal());
  const buy = (day: number, device: string, scale: number) => {
    const category = random.pick(scale > 1 ? ['electronics', 'gift cards', 'travel'] : categories);
    const amount = scale * usual * Math.exp(0.6 * random.normal());
    const row = [idOf('B', tables.purchases.length), id, device, textOf(day), category, amount.toFixed(2)];
    tables.purchases.push(row);
  };
  for (const { id: device, since } of devices) if (since + 1 <= until) buy(since + 1, device, 1);
  for (let day = issued + 1; ; ) {
    const isBurst = day >= burst - 40 && day <= burst + 60;
    day += 1 + Math.floor(random.exponential(1 / (purchasesPerDay * (isBurst ? 6 : 1))));
    if (day > until) return;
    const known = devices.filter(({ since }) => since <= day);
    // Only the newest three devices, because old phones are no longer used.
    const device = random.pick(known.slice(-3)).id;
    buy(day, device, isBurst ? 3 : 1);
  }
}

export const categories = [
  'groceries',
  'fuel',
  'pharmacy',
  'clothing',
  'restaurants',
  'electronics',
  'gift cards',
  'travel',
];

function idOf(letter: string, number: number): string {
  return `${letter}${String(number + 1).padStart(6, '0')}`;
}
