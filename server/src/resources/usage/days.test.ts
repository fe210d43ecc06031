import { expect, test } from 'vitest';
import { readDays } from './days.ts';

const [saoPaulo, kiritimati] = ['America/Sao_Paulo', 'Pacific/Kiritimati'];

test('a month is of the clocks of all, and lasts until it has ended on the one furthest behind', () => {
  const evening = Date.parse('2026-12-01T02:00:00Z');
  expect(readDays({}, [saoPaulo], evening)).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  expect(readDays({}, ['UTC'], evening)).toEqual({ from: '2026-12-01', to: '2026-12-01' });
  expect(readDays({}, ['UTC', kiritimati, saoPaulo], evening)).toEqual({ from: '2026-11-01', to: '2026-12-01' });
  expect(readDays({}, ['UTC', saoPaulo], evening + 60 * 60_000)).toEqual({ from: '2026-12-01', to: '2026-12-01' });
});

test('what is asked for is kept, and the other end goes by it', () => {
  const now = Date.parse('2026-12-10T12:00:00Z');
  expect(readDays({ to: '2026-10-12' }, ['UTC'], now)).toEqual({ from: '2026-10-01', to: '2026-10-12' });
  expect(readDays({ from: '2026-10-12' }, ['UTC'], now)).toEqual({ from: '2026-10-12', to: '2026-12-10' });
  expect(readDays({ from: '2027-01-02' }, ['UTC'], now)).toEqual({ from: '2027-01-02', to: '2027-01-02' });
  expect(() => readDays({ from: '2026-10-12', to: '2026-10-11' }, ['UTC'], now)).toThrow('must not be after to');
});
