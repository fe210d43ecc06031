/** Gives hostile files to one service, which goes on answering; test support. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../service.ts';
import { take } from '../spoilt-files.ts';
import type { HostileFile } from './files.ts';

type Deviation = { readonly rule: string; readonly message: string };

/** Defines the tests of a test file, one for each hostile file. */
export function takeHostile(files: readonly HostileFile[]): void {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  test.each(files)(
    '$name: $expect.outcome, and the service goes on',
    async ({ path, bytes, contentType, expect: wanted }) => {
      const { client } = await service.tenant(`Of ${path}`);
      const { ingestion, told } = await take(client, { name: path, bytes: bytes(), table: 'things', contentType });
      expect(ingestion.status).toBe('refused');
      const deviations: Deviation[] = told.files.flatMap((file: { deviations: Deviation[] }) => file.deviations);
      const rules = deviations.map(({ rule }) => rule);
      if (wanted.outcome === 'limit') expect([rules, deviations]).toEqual([['limit_exceeded'], deviations]);
      if (wanted.outcome === 'unreadable') expect([rules, deviations]).toEqual([['unreadable_file'], deviations]);
      if (wanted.outcome === 'rows')
        expect(rules.every((rule) => /^unreadable_row|wrong_type|missing_value$/.test(rule))).toBe(true);
      const isRead = wanted.outcome === 'rows' || wanted.outcome === 'taken';
      expect([ingestion.proposed_contract_id !== null, deviations]).toEqual([isRead, deviations]);
      if (wanted.message) expect(deviations.map(({ message }) => message).join('\n')).toMatch(wanted.message);
      const healthy = await service.anonymous.get('/healthz');
      expect(healthy.status).toBe(200);
      const fine = await take(client, { name: 'fine.csv', bytes: 'id,v\n1,2\n2,3\n', table: 'fine' });
      expect(fine.ingestion).toMatchObject({ status: 'refused', proposed_contract_id: expect.any(String) });
    },
    120_000,
  );
}
