import { expect, test } from 'vitest';
import { happeningsOf } from './happenings.ts';

const event = (type: string, created_at: string, data: object = {}, resource_id = created_at) =>
  ({ id: created_at, type, created_at, data, resource_id }) as unknown as Parameters<typeof happeningsOf>[0][number];

test('what happened several times in a day is one line, with its newest moment', () => {
  const accepted = (at: string) => event('data-contract-version', at, { status: 'active' });
  const promoted = (at: string, model_id: string) =>
    event('model-version-promotion', at, { model_id, alias: 'production' });
  const told = happeningsOf(
    [
      accepted('2026-03-02T12:00'),
      event('data-contract-version', '2026-03-02T11:59', { status: 'proposed' }),
      promoted('2026-03-02T11:30', 'mdl_a'),
      accepted('2026-03-02T11:00'),
      promoted('2026-03-02T10:30', 'mdl_b'),
      promoted('2026-03-02T10:15', 'mdl_a'),
      event('of-no-interest', '2026-03-02T10:00'),
      event('data-contract-version', '2026-03-01T12:00', { status: 'active' }, 'con_a'),
      event('data-contract-version', '2026-03-01T11:00', { status: 'proposed' }, 'con_a'),
    ],
    (at) => at.slice(0, 10),
  );
  expect(told.map(({ kind, event: { id }, count, models }) => [kind, id, count, ...models])).toEqual([
    ['data-contract-version active', '2026-03-02T12:00', 2],
    ['data-contract-version proposed', '2026-03-02T11:59', 1],
    ['model-version-promotion', '2026-03-02T11:30', 3, 'mdl_a', 'mdl_b'],
    ['data-contract-version active', '2026-03-01T12:00', 1],
  ]);
});
