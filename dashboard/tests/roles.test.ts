/** Each role has the menu that the permission matrix gives it, and the API refuses what is not in it. */
import { describe, expect, test } from 'vitest';
import { type Role, roles } from '../../server/src/access/authorize.ts';
import { mayOpen, pages, prepareRoles, reads, signIn } from './role-pages.ts';

const world = prepareRoles();

describe.each(roles)('%s', (role: Role) => {
  const signed = signIn(world, role);

  test('the menu has the pages of the matrix, and what is not in it the API refuses', async ({ skip }) => {
    if (!world.browser) skip();
    const links = await signed.shown.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(addresses.map((address) => address!.split('?')[0])).toEqual(
      pages.filter((page) => mayOpen(role, page)).map(({ to }) => to),
    );
    expect(signed.refused).toEqual([]);
    for (const permission of new Set(pages.filter((page) => !mayOpen(role, page)).flatMap(({ anyOf }) => anyOf))) {
      const path = reads[permission];
      if (path === undefined) continue;
      const { status } = await fetch(`${world.lender.service.url}${path}`, { headers: signed.headers });
      expect(status, `${role} ${path}`).toBe(403);
    }
  });
});
