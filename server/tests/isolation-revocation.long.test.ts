/** As isolation-revocation.test.ts, a hundred times each. */
import { afterAll, beforeAll, test } from 'vitest';
import { endDuringPredictions, endings, openStage, type Stage } from './revocation.ts';

const rounds = 100;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test.each(Object.entries(endings))(`%s while predictions run, ${rounds} times`, async (_, ending) => {
  for (let round = 0; round < rounds; round++) await endDuringPredictions(stage, ending);
});
