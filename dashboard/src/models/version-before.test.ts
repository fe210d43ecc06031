import { expect, test } from 'vitest';
import type { VersionEvent, VersionSummary } from './use-models.ts';
import { versionBefore } from './version-before.ts';

const versions = ['old', 'good', 'bad'].map((id, at) => summaryOf(id, at + 1, 'active'));
// Newest first: `production` went from `old` to `good` and on to `bad`.
const events = [
  eventOf('bad', 'production'),
  eventOf('old', 'shadow'),
  eventOf('good', 'production'),
  eventOf('old', 'production'),
];

test('the version before is the last other one that had the alias', () => {
  expect(versionBefore(events, 'production', 'bad', versions)?.id).toBe('good');
  expect(versionBefore(events, 'production', 'old', versions)?.id).toBe('bad');
  expect(versionBefore(events, 'shadow', 'old', versions)).toBeNull();
});

test('a version that does not answer any more is no way back, and none before it is taken instead', () => {
  const now = versions.map((one) => (one.id === 'good' ? summaryOf('good', 2, 'inactive') : one));
  expect(versionBefore(events, 'production', 'bad', now)).toBeNull();
});

function eventOf(version: string, alias: string): VersionEvent {
  return { type: 'model-version-promotion', resource_id: version, data: { alias } } as unknown as VersionEvent;
}

function summaryOf(id: string, number: number, status: VersionSummary['status']): VersionSummary {
  return { id, number, status } as VersionSummary;
}
