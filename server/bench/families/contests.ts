import { type Asked, type Draws, dayAt, type Family, upTo } from './family.ts';

const [players, matches, days] = [300, 8_000, 2_000];

/** Matches of players of changing strength, with a liking for grounds, who mostly meet their like. */
export function makeContests(draws: Draws): Family {
  const { next, normal, pick, label } = draws;
  const strength = upTo(players).map(normal);
  const liking = upTo(players).map(() => ({ clay: 0.4 * normal(), grass: 0.4 * normal(), hall: 0.4 * normal() }));
  const asked: Asked[] = [];
  const rows = upTo(matches).map((match_id) => {
    if (match_id % 50 === 0) for (const p of strength.keys()) strength[p]! += 0.08 * normal();
    const day = dayAt((days * match_id) / matches);
    const one = Math.floor(next() * players);
    const others = upTo(8)
      .map(() => Math.floor(next() * players))
      .filter((p) => p !== one)
      .sort((a, b) => Math.abs(strength[a]! - strength[one]!) - Math.abs(strength[b]! - strength[one]!));
    const [a, b] = next() < 0.5 ? [one, others[0]!] : [others[0]!, one];
    const ground = pick(['clay', 'grass', 'hall'] as const);
    const lead = strength[a]! + liking[a]![ground] - strength[b]! - liking[b]![ground];
    asked.push({ key: match_id, day, ...label(lead) });
    return { match_id, day, player_1: a, player_2: b, ground, best_of: pick([3, 5]) };
  });
  const of = upTo(players).map((player_id) => ({
    player_id,
    country: pick(['BR', 'ES', 'FR', 'US']),
    hand: pick(['L', 'R']),
  }));
  return { tables: { players: of, matches: rows }, entity: 'matches', key: 'match_id', windowDays: 1, asked };
}
