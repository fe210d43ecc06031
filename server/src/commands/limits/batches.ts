import { keptMs } from '../../api/idempotency.ts';
import { echoedLengthMax } from '../../ml/version/schema.ts';
import { priorityMax } from '../../resources/batches/batch.ts';
import { addressLifetimeMs } from '../../resources/batches/result.ts';
import { filesMax } from '../../resources/batches/routes.ts';
import { modelLengthMax } from '../../resources/batches/target.ts';
import type { LimitSection } from './limit.ts';
import { characters, count, durationOfMs } from './units.ts';

export const batchLimits: LimitSection = {
  title: 'Batches and results',
  limits: [
    ['Files of a batch', count(filesMax), ['schema_mismatch'], 'Send several batches.'],
    ['Priority of a batch', `-${priorityMax} to ${priorityMax}`, ['schema_mismatch'], 'Take one within.'],
    [
      'The model of a batch, as one text',
      characters(modelLengthMax),
      ['schema_mismatch'],
      'Give its id, a slash, and an alias or the id of a version.',
    ],
    [
      'A text of a row that is copied to the result: correlation_id, reference_id, the key',
      characters(echoedLengthMax),
      ['invalid_input'],
      'Send a shorter one. The other rows are scored.',
    ],
    [
      'Time in which a download of a result begins, from when its address was asked for',
      durationOfMs(addressLifetimeMs),
      ['signature_expired'],
      'Ask for new addresses.',
    ],
    [
      'Time in which a repeated Idempotency-Key creates nothing',
      durationOfMs(keptMs),
      [],
      'After it the same request creates anew: look whether the first was answered.',
    ],
  ],
};
