import { expect, test } from 'vitest';
import { applyChanges, channelsOf, type Preference } from './preference.ts';

const row = (type: string, isInApp: boolean, isMail: boolean): Preference =>
  ({ type, in_app: { on: isInApp, source: 'user' }, email: { on: isMail, source: 'user' } }) as Preference;

test('a second click counts from the first one that is still on its way', () => {
  const fetched = [row('batch-lifecycle', false, false), row('model-deletion', false, true)];
  const ticked = { type: 'batch-lifecycle', channels: channelsOf(true, false) } as const;
  const [shown, other] = applyChanges(fetched, [ticked]);
  expect(shown).toEqual(row('batch-lifecycle', true, false));
  expect(other).toEqual(fetched[1]);
  const channels = channelsOf(shown.in_app.on, !shown.email.on);
  expect(channels).toBe('both');
  expect(applyChanges(fetched, [ticked, { type: 'batch-lifecycle', channels }])[0]).toEqual(
    row('batch-lifecycle', true, true),
  );
});

test('a return to the default stays as it was until the service says what it comes to', () => {
  const fetched = [row('batch-lifecycle', true, false)];
  expect(applyChanges(fetched, [{ type: 'batch-lifecycle', channels: null }])).toEqual(fetched);
});
