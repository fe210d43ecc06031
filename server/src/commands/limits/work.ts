import { parsingWaitingMax, readingWaitingMax } from '../../app.ts';
import { backtestsPerWorkspace } from '../../resources/backtests/jobs.ts';
import { batchesPerWorkspace } from '../../resources/batches/queue.ts';
import { erasuresPerWorkspace } from '../../resources/erasures/jobs.ts';
import { evaluationsPerWorkspace } from '../../resources/evaluations/jobs.ts';
import { ingestionsPerWorkspace } from '../../resources/ingestions/queue.ts';
import { openWorkMax } from '../../resources/open-work.ts';
import { replaysPerWorkspace } from '../../resources/replays/jobs.ts';
import { runsPerWorkspace } from '../../resources/training-runs/queue.ts';
import { validationsPerWorkspace } from '../../resources/validations/jobs.ts';
import type { Limit, LimitSection } from './limit.ts';
import { count } from './units.ts';

const atOnce: Readonly<Record<keyof typeof openWorkMax, number>> = {
  batches: batchesPerWorkspace,
  ingestions: ingestionsPerWorkspace,
  erasures: erasuresPerWorkspace,
  'training runs': runsPerWorkspace,
  evaluations: evaluationsPerWorkspace,
  replays: replaysPerWorkspace,
  validations: validationsPerWorkspace,
  backtests: backtestsPerWorkspace,
};
const kinds = Object.keys(atOnce) as (keyof typeof openWorkMax)[];

export const workLimits: LimitSection = {
  title: 'Work at once',
  about:
    'These are of one workspace. Workspaces take turns, so the queue of one holds up no other by more than the work that is under way: a training run that has begun is not interrupted for others.',
  limits: [
    ...kinds.map(
      (kind): Limit => [
        `Open ${kind}, queued or running`,
        count(openWorkMax[kind]),
        ['limit_exceeded'],
        'Send more when some have ended, or interrupt some.',
      ],
    ),
    ...kinds.map(
      (kind): Limit => [`Running ${kind}`, count(atOnce[kind]), [], 'The others are queued and begin in their turn.'],
    ),
    [
      'Contracts and definitions that wait to be read',
      count(parsingWaitingMax),
      ['rate_limited'],
      'Send them one after the other.',
    ],
    [
      'Pages of the rows of tables that wait to be read',
      count(readingWaitingMax),
      ['rate_limited'],
      'Ask for one after the other.',
    ],
  ],
};
