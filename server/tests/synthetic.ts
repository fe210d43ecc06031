/** Made-up relational data whose process is known, so that what a model cannot read shows in how well it does. */
import type { Contract } from '../src/ml/contract/contract.ts';
import { parseTask } from '../src/ml/tasks/parse-task.ts';
import type { Task } from '../src/ml/tasks/task.ts';
import { at, type Data, type Draw, day, draws, type Row, sampleContract } from './samples.ts';

/** `known`: since when, where that is not the end of its window. */
export type Label = { readonly key: number; readonly at: number; readonly label: number; readonly known?: number };
export type Synthetic = {
  readonly contract: Contract;
  readonly data: Data;
  readonly task: Task;
  /** In order of time. */
  readonly labels: readonly Label[];
};

/** How much each part of a project says about whether it will succeed, in log-odds per standard deviation. */
export type ProjectWeights = {
  /** Its stages, which come with it: their number and size. */
  readonly stages?: number;
  /** Who leads it: known only by how their other projects ended. */
  readonly leaders?: number;
  /** The words of its summary. */
  readonly words?: number;
  /** How long it is to take, written with a unit. */
  readonly term?: number;
};

type ErrorMetric = 'mae' | 'rmse' | 'r2';
type Metric = 'auroc' | ErrorMetric;

const start = at('2018-01-01');
const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** About standard normal: the sum of twelve draws. */
function normal(draw: Draw): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += draw.next();
  return sum;
}

function happens(draw: Draw, logOdds: number): boolean {
  return draw.next() < 1 / (1 + Math.exp(-logOdds));
}

/** A task about the rows of a table whose key is its name and `_id`; what is measured by AUROC is yes or no. */
function taskOf(name: string, entity: string, label: string, metric: Metric, windowDays: number): Task {
  const kind = metric === 'auroc' ? 'binary' : 'regression';
  const about = `entity: ${entity}\nkey: ${entity}_id\nlabel: ${label}\n`;
  return parseTask(`${about}kind: ${kind}\nmetric: ${metric}\nwindow: ${windowDays}d\n`, name, 'task.yaml');
}

function inOrder(labels: readonly Label[]): Label[] {
  return labels.toSorted((a, b) => a.at - b.at || a.key - b.key);
}

export const projectContract = sampleContract([
  { name: 'leader', key: 'leader_id', columns: { leader_id: 'integer', region: 'string' } },
  {
    name: 'project',
    key: 'project_id',
    time: 'begun',
    columns: {
      project_id: 'integer',
      begun: 'date',
      kind: 'string',
      summary: 'string',
      budget: 'number',
      term: 'string',
    },
  },
  {
    name: 'stage',
    key: 'stage_id',
    time: 'day',
    references: { project_id: 'project' },
    columns: { stage_id: 'integer', project_id: 'integer', day: 'date', size: 'number', method: 'string' },
  },
  {
    name: 'lead',
    time: { reference: 'project_id', offset: 0 },
    references: { project_id: 'project', leader_id: 'leader' },
    columns: { project_id: 'integer', leader_id: 'integer', share: 'number' },
  },
  {
    name: 'notice',
    key: 'notice_id',
    time: 'given',
    references: { project_id: 'project' },
    columns: { notice_id: 'integer', project_id: 'integer', given: 'date', loss: 'number' },
  },
]);

export const projectWindowDays = 180;
const fillers = ids(200).map((k) => `term${k}`);
const tellingWords = ['phased', 'adaptive', 'rushed', 'proven', 'novel', 'late', 'funded', 'rare', 'urgent', 'safe'];

function writeTerm(months: number, draw: Draw): string {
  if (months >= 24 && draw.next() < 0.7) return `${Math.round(months / 12)} Years`;
  return draw.next() < 0.5 ? `${months} Months` : `${Math.round(months * 30.4)} Days`;
}

/**
 * Projects, each asked about on the day it begins: will it succeed within half a year? Stages are dated with the day of
 * their project, leads have no date of their own; notices come later and tell the end.
 */
export function makeProjects(rows: number, weights: ProjectWeights, seed: number): Synthetic {
  const draw = draws(seed);
  const terms = draws(seed + 1_000);
  const skill = ids(Math.ceil(rows / 25)).map(() => normal(draw));
  const telling = tellingWords.map((_, w) => (w % 2 === 0 ? 1 : -1));
  const project: Row[] = [];
  const stage: Row[] = [];
  const lead: Row[] = [];
  const notice: Row[] = [];
  const labels: Label[] = [];
  for (const project_id of ids(rows)) {
    // Several begin on one day.
    const begun = start + Math.floor((project_id * 280) / rows) * 7 * day;
    const stages = draw.between(0, 6);
    let size = 0;
    for (let k = 0; k < stages; k++) {
      const own = Math.round(Math.exp(normal(draw)) * 100) / 10;
      size += own;
      stage.push({
        stage_id: stage.length + 1,
        project_id,
        day: begun,
        size: own,
        method: draw.pick(['open', 'closed', 'mixed']),
      });
    }
    const leaders = draw.shuffle(ids(skill.length)).slice(0, draw.between(1, 3));
    for (const leader_id of leaders) lead.push({ project_id, leader_id, share: 1 / leaders.length });
    const words = ids(draw.between(8, 16)).map(() => fillers[Math.floor(draw.next() ** 2 * fillers.length)]);
    let tone = 0;
    for (const [w, word] of tellingWords.entries()) {
      if (draw.next() > 0.12) continue;
      words.splice(draw.between(0, words.length), 0, word);
      tone += telling[w];
    }
    // A stream of its own: the rest stays as it is.
    const months = terms.between(1, 120);
    const logOdds =
      ((weights.term ?? 0) * (months - 60)) / 35 +
      ((weights.stages ?? 0) * (Math.log1p(size) - 3)) / 1.2 +
      (weights.leaders ?? 0) * leaders.reduce((sum, id) => sum + skill[id - 1], 0) * Math.sqrt(1 / leaders.length) +
      ((weights.words ?? 0) * tone) / 1.03;
    const label = Number(happens(draw, logOdds));
    project.push({
      project_id,
      begun,
      kind: draw.pick(['build', 'study', 'move']),
      summary: words.join(' '),
      term: writeTerm(months, terms),
      budget: Math.round(Math.exp(normal(draw)) * 1000),
    });
    for (let k = draw.between(0, 2) + (label === 1 ? 0 : 3); k > 0; k--) {
      const given = begun + draw.between(20, projectWindowDays - 1) * day;
      notice.push({ notice_id: notice.length + 1, project_id, given, loss: draw.between(1, 50) });
    }
    labels.push({ key: project_id, at: begun, label });
  }
  const leader = skill.map((_, k) => ({ leader_id: k + 1, region: draw.pick(['north', 'south', 'west']) }));
  return {
    contract: projectContract,
    data: { leader, project, stage, lead, notice },
    task: taskOf('success', 'project', 'succeeded', 'auroc', projectWindowDays),
    labels,
  };
}

const spendingContract = sampleContract([
  {
    name: 'member',
    key: 'member_id',
    time: 'joined',
    columns: { member_id: 'integer', joined: 'date', plan: 'string', age: 'number' },
  },
  {
    name: 'purchase',
    key: 'purchase_id',
    time: 'made',
    references: { member_id: 'member' },
    columns: { purchase_id: 'integer', member_id: 'integer', made: 'timestamp', amount: 'number' },
  },
]);

export type SpendingLabel = 'count' | 'total';

/**
 * Members who buy at very different rates and stop one day: how often, or how much, will each buy in the next 60 days?
 */
export function makeSpending(members: number, label: SpendingLabel, metric: ErrorMetric, seed: number): Synthetic {
  const draw = draws(seed);
  const windowDays = 60;
  const last = start + 900 * day;
  const member: Row[] = [];
  const purchase: Row[] = [];
  const labels: Label[] = [];
  for (const member_id of ids(members)) {
    const joined = start + draw.between(-600, 880) * day;
    const rate = Math.exp(normal(draw) * 1.1 - 3.6);
    const size = Math.exp(normal(draw) * 0.9 + 3);
    const leaves = joined - Math.log(1 - draw.next()) * 350 * day;
    const own: { at: number; amount: number }[] = [];
    for (let moment = joined; ; ) {
      moment -= (Math.log(1 - draw.next()) / rate) * day;
      if (moment > Math.min(leaves, last)) break;
      own.push({ at: Math.floor(moment), amount: Math.round(size * Math.exp(normal(draw) * 0.6) * 100) / 100 });
    }
    member.push({ member_id, joined, plan: draw.pick(['free', 'paid']), age: draw.between(18, 80) });
    for (const { at: made, amount } of own)
      purchase.push({ purchase_id: purchase.length + 1, member_id, made, amount });
    for (let anchor = start + 300 * day; anchor + windowDays * day <= last; anchor += windowDays * day) {
      if (anchor < joined || !own.some(({ at: made }) => made <= anchor)) continue;
      const inWindow = own.filter(({ at: made }) => made > anchor && made <= anchor + windowDays * day);
      const total = inWindow.reduce((sum, { amount }) => sum + amount, 0);
      labels.push({ key: member_id, at: anchor, label: label === 'count' ? inWindow.length : total });
    }
  }
  return {
    contract: spendingContract,
    data: { member, purchase },
    task: taskOf('spending', 'member', 'value', metric, windowDays),
    labels: inOrder(labels),
  };
}

const reviewContract = sampleContract([
  { name: 'shop', key: 'shop_id', time: 'opened', columns: { shop_id: 'integer', opened: 'date', kind: 'string' } },
  {
    name: 'review',
    key: 'review_id',
    time: 'written',
    references: { shop_id: 'shop' },
    columns: { review_id: 'integer', shop_id: 'integer', written: 'date', text: 'string' },
  },
]);

/**
 * Shops whose service drifts, of which only the words of their reviews tell: will a shop close a till in the next 60
 * days?
 */
export function makeReviews(shops: number, seed: number): Synthetic {
  const draw = draws(seed);
  const windowDays = 60;
  const shop: Row[] = [];
  const review: Row[] = [];
  const labels: Label[] = [];
  for (const shop_id of ids(shops)) {
    const opened = start - draw.between(0, 300) * day;
    shop.push({ shop_id, opened, kind: draw.pick(['food', 'books', 'tools']) });
    let service = normal(draw);
    for (let month = 0; month < 18; month++) {
      const begins = start + month * windowDays * day;
      service = 0.8 * service + 0.6 * normal(draw);
      for (let k = draw.between(1, 4); k > 0; k--) {
        const words = ids(draw.between(6, 12)).map(() => fillers[Math.floor(draw.next() ** 2 * fillers.length)]);
        const told = happens(draw, 2 * service) ? ['prompt', 'warm'] : ['rude', 'dirty'];
        if (draw.next() < 0.8) words.splice(draw.between(0, words.length), 0, draw.pick(told));
        const written = begins + draw.between(0, windowDays - 1) * day;
        review.push({ review_id: review.length + 1, shop_id, written, text: words.join(' ') });
      }
      if (month < 3) continue;
      const at = begins + windowDays * day;
      labels.push({ key: shop_id, at, label: Number(happens(draw, -2 * service)) });
    }
  }
  return {
    contract: reviewContract,
    data: { shop, review },
    task: taskOf('closes', 'shop', 'closes', 'auroc', windowDays),
    labels: inOrder(labels),
  };
}

const memberContract = sampleContract([
  {
    name: 'member',
    key: 'member_id',
    time: 'joined',
    columns: { member_id: 'integer', joined: 'date', plan: 'string' },
  },
  {
    name: 'note',
    key: 'note_id',
    time: 'taken',
    references: { member_id: 'member' },
    columns: { note_id: 'integer', member_id: 'integer', taken: 'timestamp', tone: 'number' },
  },
]);

/**
 * Members whose mood passes within months: their last label tells it, if it is of last month, and so do, less well,
 * notes.
 */
export function makeMoods(members: number, months: number, seed: number): Synthetic {
  const draw = draws(seed);
  const windowDays = 30;
  const member: Row[] = [];
  const note: Row[] = [];
  const labels: Label[] = [];
  for (const member_id of ids(members)) {
    member.push({ member_id, joined: start - draw.between(1, 300) * day, plan: draw.pick(['free', 'paid']) });
    let mood = 2 * normal(draw);
    for (let month = 0; month < months; month++) {
      const at = start + month * windowDays * day;
      note.push({ note_id: note.length + 1, member_id, taken: at - day, tone: mood + 2 * normal(draw) });
      mood = 0.7 * mood + 1.2 * normal(draw);
      labels.push({ key: member_id, at, label: Number(happens(draw, 4 * mood)) });
    }
  }
  return {
    contract: memberContract,
    data: { member, note },
    task: taskOf('content', 'member', 'content', 'auroc', windowDays),
    labels: inOrder(labels),
  };
}
