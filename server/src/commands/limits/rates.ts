import { windowSeconds as guessSeconds, unknownKeysMax, waitingKeysMax } from '../../access/guesses.ts';
import { windowSeconds as rateSeconds } from '../../access/rate-limit.ts';
import { connectionsPerWorkspaceMax } from '../../app.ts';
import { sealEveryMs } from '../../jobs.ts';
import { connectTimeoutMs } from '../../lib/db/db.ts';
import { renewedAfterMs } from '../../resources/allowances/allowances.ts';
import { openDataMax as openEncodersMax } from '../../resources/embeddings/open.ts';
import { quotaMax } from '../../resources/meters/quota.ts';
import { roomWaitMs } from '../../serving/keep-open.ts';
import { openDataMax } from '../../serving/serving.ts';
import { settings } from '../../settings.ts';
import { waitingMax } from '../../trail/group-commit.ts';
import type { LimitSection } from './limit.ts';
import { count, duration, durationOfMs } from './units.ts';

const settingOf = (wanted: string) => settings.find(({ name }) => name === wanted)!;
const requestsPerMinute = settingOf('LASTRO_REQUESTS_PER_MINUTE');
const realTimePerMinute = settingOf('LASTRO_WORKSPACE_REAL_TIME_PER_MINUTE');
const othersPerMinute = settingOf('LASTRO_WORKSPACE_REQUESTS_PER_MINUTE');
const tryAgain = 'Try again after Retry-After.';

export const rateLimits: LimitSection = {
  title: 'Rates and access',
  about: 'These are of each process of the service that answers.',
  limits: [
    [
      `Requests with one key in ${duration(rateSeconds)}`,
      `${requestsPerMinute.name}, ${count(Number(requestsPerMinute.fallback))} by default`,
      ['rate_limited'],
      'Wait as Retry-After says. RateLimit says how many are left.',
    ],
    ...(
      [
        [realTimePerMinute, 'Predictions and embeddings of all callers of one workspace'],
        [othersPerMinute, 'Other requests of all callers of one workspace'],
      ] as const
    ).map(
      ([setting, what]) =>
        [
          `${what} in ${duration(rateSeconds)}`,
          `${setting.name}, ${count(Number(setting.fallback))} by default; or what the price plan says`,
          ['rate_limited'],
          'Wait as Retry-After says. RateLimit says how many are left.',
        ] as const,
    ),
    [
      'Predictions, rows of batches, embeddings or training runs in a calendar month',
      `a quota or the price plan, none by default; what is asked for within about ${durationOfMs(renewedAfterMs + sealEveryMs)} of the end passes, but rows of batches never exceed it`,
      ['quota_exceeded'],
      'Wait for the next month, or ask the operator for more.',
    ],
    [
      'Batches, ingestions, training runs or evaluations queued or running, and megabytes of files and results',
      `a quota or the price plan, up to ${count(quotaMax)}; none by default; exact also for requests that arrive together`,
      ['quota_exceeded'],
      'Send more when some have ended, interrupt some, delete files or results, or ask the operator for more.',
    ],
    [
      'Predictions in a second, in each process',
      `a quota or the price plan, up to ${count(quotaMax)}; none by default`,
      ['rate_limited'],
      'Wait as Retry-After says.',
    ],
    [
      `Different unknown keys from one address in ${duration(guessSeconds)}`,
      count(unknownKeysMax),
      [],
      'Its keys are then looked up one after the other: send keys that exist.',
    ],
    [
      'Keys of such an address that wait to be looked up',
      count(waitingKeysMax),
      ['rate_limited'],
      'Try again after Retry-After, with keys that exist.',
    ],
    [
      'Requests of one workspace that use the database at once',
      `${count(connectionsPerWorkspaceMax)}; the others wait, up to ${durationOfMs(connectTimeoutMs)}`,
      ['unavailable'],
      'Send fewer at once.',
    ],
    [
      'Workspaces whose data are open for predictions',
      `${count(openDataMax)}; the others wait, up to ${durationOfMs(roomWaitMs)}`,
      ['unavailable'],
      tryAgain,
    ],
    [
      'Workspaces whose data are open for embeddings',
      `${count(openEncodersMax)}; the others wait, up to ${durationOfMs(roomWaitMs)}`,
      ['unavailable'],
      tryAgain,
    ],
    ['Predictions that wait to be recorded', count(waitingMax), ['unavailable'], tryAgain],
  ],
};
