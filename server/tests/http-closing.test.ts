/** A service that stops while it is asked answers what it has begun, and nothing by halves. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { checkProblem } from './problems.ts';
import { type Reply, startTestService } from './service.ts';

test('no request is lost half-way when the service closes', async () => {
  const service = await startTestService();
  const { client } = await service.tenant('Closing');
  const replies: Reply[] = [];
  let refused = 0;
  let isClosed = false;
  const answered = Promise.withResolvers<void>();
  const callers = Array.from({ length: 8 }, async () => {
    while (!isClosed) {
      const files = [{ path: 'x.csv', content_type: 'text/csv', md5: `${'A'.repeat(22)}==` }];
      try {
        replies.push(await client.post('/v2/api/files/upload', { files }));
      } catch (error) {
        // Undici wraps what the system says.
        const { code } = (error as { cause?: { code?: string } }).cause ?? {};
        expect(['ECONNREFUSED', 'UND_ERR_SOCKET', 'ECONNRESET']).toContain(code);
        refused++;
      }
      if (replies.length > 30) answered.resolve();
    }
  });
  await answered.promise;
  await service.service.close();
  isClosed = true;
  await Promise.all(callers);
  for (const reply of replies)
    if (reply.status !== 201) {
      checkProblem(reply);
      expect(reply.body.code, reply.text).toBe('unavailable');
    }
  expect(refused).toBeGreaterThan(0);
  // What had an effect was answered: a caller who was cut off may ask again.
  const database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  const { rows } = await database.query('select count(*)::int as count from uploads');
  await database.end();
  expect(rows[0].count).toBe(replies.filter(({ status }) => status === 201).length);
  await service.close();
});
