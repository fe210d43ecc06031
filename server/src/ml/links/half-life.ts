import { Candidates } from './candidates.ts';
import { type Period, questionsOf } from './facts.ts';
import { History } from './history.ts';
import { rankByView, Tally } from './metrics.ts';

/** Half-lives to try, in steps. */
const ladder = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
/** Periods are evaluated until this many questions have been asked. */
const questionsMax = 30_000;
/** Factors of the fast and the slow half-life relative to the middle one. */
const fastShare = 0.1;
const slowTimes = 5;

/**
 * Chooses the half-life whose decayed count of (s, r, o) alone orders entities best (MRR) for the questions of
 * `evaluated`, which follows `past`. Each period is asked about before it is counted, up to about 30,000 questions.
 * Only half-lives up to the length of the past are tried. Returns a tenth of the chosen half-life, itself and five
 * times it, and the MRR of each one tried.
 */
export function chooseHalfLives(
  past: readonly Period[],
  evaluated: readonly Period[],
  entities: number,
  relations: number,
): { halfLives: readonly [number, number, number]; tried: readonly { half_life: number; mrr: number }[] } {
  const span = past.length === 0 ? 0 : past[past.length - 1].time - past[0].time;
  const tried = ladder.filter((halfLife, at) => at === 0 || halfLife <= span);
  const history = new History(entities, relations, tried);
  for (const period of past) history.add(period);
  const tallies = tried.map(() => new Tally());
  const candidates = new Candidates(entities);
  const isTruth = new Uint8Array(entities);
  let asked = 0;
  for (const period of evaluated) {
    if (asked >= questionsMax) break;
    history.standAt(period.time);
    for (const { subject, relation, truths } of questionsOf(period, relations)) {
      asked++;
      candidates.clear();
      const edges: number[] = [];
      for (let edge = history.newestEdge(subject); edge >= 0; edge = history.olderEdge(edge)) {
        if (history.relationOf(edge) !== relation) continue;
        candidates.placeOf(history.objectOf(edge));
        edges.push(edge);
      }
      for (const truth of truths) isTruth[truth] = 1;
      const rest = { least: 0, entities, truths: new Set(truths).size };
      for (const [h, tally] of tallies.entries()) {
        const scores = edges.map((edge) => history.counts.decayed(edge, h, period.time));
        for (const truth of truths)
          tally.add(
            rankByView(truth, isTruth, candidates, (place) => scores[place], rest),
            period.time,
          );
      }
      for (const truth of truths) isTruth[truth] = 0;
    }
    history.add(period);
  }
  const measured = tallies.map((tally, h) => ({ half_life: tried[h], mrr: tally.measures().mrr }));
  const best = measured.reduce((a, b) => (b.mrr > a.mrr ? b : a)).half_life;
  return { halfLives: [best * fastShare, best, best * slowTimes], tried: measured };
}
