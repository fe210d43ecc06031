import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../server/tests/service.ts';
import { writeEventData } from '../generate/event-data.ts';
import { Lastro } from '../src/main.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, 'api');
});
afterAll(() => service.close());

test('the types of what events tell are those of the catalog', async () => {
  const { data } = await new Lastro({ baseUrl: service.url }).eventTypes.list();
  await expect(writeEventData(data)).toMatchFileSnapshot('../src/event-data.ts');
});
