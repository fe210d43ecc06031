import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

const offered = (text: string) => suggest(text, text.length, []).suggestions.map(({ text: one }) => one);

test('a condition on who is asked about may be of the last days, and what is foretold may be overdue', () => {
  expect(offered('PREDICT exists(instalment ')).toContain('OVERDUE');
  expect(offered('PREDICT exists(instalment ')).not.toContain('IN LAST');
  const condition = 'PREDICT exists(orders) WITHIN 30d FOR customers WHERE exists(orders ';
  expect(offered(condition)).toContain('IN LAST');
  expect(offered(condition)).not.toContain('OVERDUE');
  expect(offered(`${condition}IN LAST `)).toContain('90d');
});
