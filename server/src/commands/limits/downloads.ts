import { waitSecondsMax, waitsOpenMax } from '../../api/wait.ts';
import { archivesOpenMax } from '../../resources/batches/routes.ts';
import { followLimits, placeLimits } from '../../resources/events/follow.ts';
import { exportsAtOnceMax, exportsOpenMax, exportWaitMs } from '../../resources/rfm-versions/routes.ts';
import type { Limit, LimitSection } from './limit.ts';
import { count, duration, durationOfMs } from './units.ts';

function openAtOnce(what: string, places: { readonly perKey: number; readonly perWorkspace: number }): Limit[] {
  return [
    [`${what} with one key`, count(places.perKey), ['rate_limited'], 'Close one, or wait until it has ended.'],
    [
      `${what} of one workspace`,
      count(places.perWorkspace),
      ['rate_limited'],
      'Close one, or wait until it has ended.',
    ],
  ];
}

export const downloadLimits: LimitSection = {
  title: 'Downloads and streams',
  about: 'These are of each process of the service that answers.',
  limits: [
    ...openAtOnce('Open streams of events', placeLimits),
    [
      'Time in which a reader of events takes what was sent',
      durationOfMs(followLimits.slowMs),
      [],
      'The stream is closed: begin another one after the last id.',
    ],
    ...openAtOnce('Requests that wait for the end of work', waitsOpenMax),
    [
      'Time that a request waits for the end of work',
      duration(waitSecondsMax),
      ['invalid_parameter'],
      'Ask again as long as it has not ended.',
    ],
    ...openAtOnce('Open archives of results', archivesOpenMax),
    ...openAtOnce('Open exports of encoders', exportsOpenMax),
    [
      'Exports of encoders that are made at once, one of each workspace',
      `${count(exportsAtOnceMax)}; the others wait, up to ${durationOfMs(exportWaitMs)}`,
      ['unavailable'],
      'Try again after Retry-After.',
    ],
  ],
};
