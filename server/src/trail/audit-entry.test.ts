import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemContext } from '../access/context.ts';
import { type AuditEntry, auditEntry, canonicalBytes } from './audit-entry.ts';

const ctx = systemContext({ organizationId: 'org_1', workspaceId: 'ws_1', timeZone: 'UTC', language: 'en' });
const entry = (data: AuditEntry['data']) => auditEntry(ctx, 'batch-request', { type: 'batch', id: 'bat_1' }, data);

test('an entry has one form in bytes, written by hand here', () => {
  const one = { ...entry({ z: 1, a: [true, null, 'é"'], b: { d: 1.5, c: '' } }), id: 'aud_1' };
  expect(canonicalBytes(one).toString()).toBe(
    '{"action":"batch-request","actor":{"id":null,"label":"Lastro","type":"system"},"channel":"api",' +
      '"data":{"a":[true,null,"é\\""],"b":{"c":"","d":1.5},"z":1},"id":"aud_1","ip":null,"organizationId":"org_1",' +
      '"outcome":"succeeded","requestId":null,"target":{"id":"bat_1","type":"batch"},"userAgent":null,"workspaceId":"ws_1"}',
  );
});

test('the order of members, and a way through JSON, change no byte; any value does', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (data, other) => {
      const one = entry(data);
      const back = JSON.parse(JSON.stringify(shuffled(one))) as AuditEntry;
      expect(canonicalBytes(back)).toEqual(canonicalBytes(one));
      const changed = canonicalBytes({ ...one, data: { ...data, changed: other } });
      expect(changed.equals(canonicalBytes(one))).toBe(JSON.stringify(data.changed) === JSON.stringify(other));
    }),
    { seed: 1 },
  );
});
