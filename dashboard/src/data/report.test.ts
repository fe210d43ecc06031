import { expect, test } from 'vitest';
import { type Change, isLoss } from './report.ts';

const change = (kind: Change['kind'], path: string, before: unknown, after: unknown): Change => ({
  ...{ kind, path, before, after, breaking: true },
});

test('data are lost by a table or a column that is removed, and by no other change', () => {
  expect(isLoss(change('removed', 'visits', 3, null))).toBe(true);
  expect(isLoss(change('removed', 'sales.mail', 'string', null))).toBe(true);
  expect(isLoss(change('removed', 'people.parent.references', 'people.id', null))).toBe(false);
  expect(isLoss(change('changed', 'invoices.was_late.mutable', false, true))).toBe(false);
  expect(isLoss(change('changed', 'sales.eventTime', 'day', 'due'))).toBe(false);
});
