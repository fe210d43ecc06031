/** Each role opens each page: those that the permission matrix gives it work, and the others say who has them. */
import { describe, expect, test } from 'vitest';
import { type Role, roles } from '../../server/src/access/authorize.ts';
import { settled } from './pages.ts';
import { mayOpen, pages, prepareRoles, signIn } from './role-pages.ts';

const world = prepareRoles();

describe.each(roles)('%s', (role: Role) => {
  const signed = signIn(world, role);

  test('what it may open asks the API for nothing that is refused, and says nothing is wrong', async ({ skip }) => {
    if (!world.browser) skip();
    for (const { to } of pages.filter((page) => mayOpen(role, page))) {
      await signed.shown.page.goto(to);
      await settled(signed.shown.page);
    }
    expect(signed.refused).toEqual([]);
    expect(signed.shown.complaints).toEqual([]);
  });

  test('what it may not open says who may', async ({ skip }) => {
    if (!world.browser) skip();
    for (const { to } of pages.filter((page) => !mayOpen(role, page))) {
      await signed.shown.page.goto(to);
      await signed.shown.page.getByRole('heading', { name: 'You may not see this' }).waitFor();
    }
  });
});
