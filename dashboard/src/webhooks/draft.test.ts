import { expect, test } from 'vitest';
import { bodyOf, emptyDraft } from './draft.ts';

const draft = { ...emptyDraft, url: ' https://hooks.example.com ' };

test('headers that are not written stay, unless they are dropped', () => {
  expect(bodyOf(draft)).toEqual({
    url: 'https://hooks.example.com',
    events: ['*'],
    description: null,
    rate_limit: null,
  });
  expect(bodyOf({ ...draft, dropsHeaders: true }).headers).toEqual({});
  const headers = 'authorization: Bearer a:b\n\nx-team: risk';
  const own = { authorization: 'Bearer a:b', 'x-team': 'risk' };
  expect(bodyOf({ ...draft, headers }).headers).toEqual(own);
  expect(bodyOf({ ...draft, headers, dropsHeaders: true }).headers).toEqual(own);
});
