import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('the example of RFC 8785 §3.2', () => {
  const value = JSON.parse(
    String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
  );
  expect(canonicalJson(value)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('members are in the order of UTF-16, as in RFC 8785 §3.2.3', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const written = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
  expect(Object.keys(JSON.parse(written)).filter((name) => name !== '1')).toEqual([
    '\r',
    '\u0080',
    '\u00f6',
    '\u20ac',
    '\ud83d\ude00',
    '\ufb33',
  ]);
  expect(written.startsWith('{"\\r":0,"1":0,')).toBe(true);
});

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
])('the double %s is written as in RFC 8785, appendix B', (hex, text) => {
  expect(canonicalJson(Buffer.from(hex, 'hex').readDoubleBE())).toBe(text);
});

test.each(['7fffffffffffffff', '7ff0000000000000'])('%s is no number of JSON', (hex) => {
  expect(() => canonicalJson([Buffer.from(hex, 'hex').readDoubleBE()])).toThrow();
});

test('the order of members, and a way through JSON, change no byte; another value does', () => {
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
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const text = canonicalJson(one);
      expect(canonicalJson(JSON.parse(JSON.stringify(shuffled(one))))).toBe(text);
      expect(canonicalJson(other) === text).toBe(
        JSON.stringify(JSON.parse(canonicalJson(other))) === JSON.stringify(JSON.parse(text)),
      );
    }),
    { seed: 1 },
  );
});
