import { AuthenticationError } from '@lastro/sdk';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, redirect, retainSearchParams, useMatches } from '@tanstack/react-router';
import { Reauthenticate } from '../account/reauthenticate.tsx';
import { accountClient } from '../api/client.ts';
import { openSession, type Permission, SessionProvider, type User, useSession } from '../api/session.tsx';
import { InArchive, NoPermission, NoWorkspace } from '../kit/states.tsx';
import { allPages } from '../shell/pages.ts';
import { Shell } from '../shell/shell.tsx';

export const userQuery = {
  queryKey: ['user'],
  queryFn: () => accountClient().user.get(),
  staleTime: 30_000,
};

/** Everything behind the sign-in. The workspace in which the page acts is part of its address. */
export const Route = createFileRoute('/_app')({
  validateSearch: (search): { workspace?: string } =>
    typeof search.workspace === 'string' ? { workspace: search.workspace } : {},
  search: { middlewares: [retainSearchParams(['workspace'])] },
  loader: async ({ context, location }) => {
    try {
      const user = await context.queries.ensureQueryData({ ...userQuery, revalidateIfStale: true });
      pin(user, location);
      return user;
    } catch (error) {
      if (error instanceof AuthenticationError)
        throw redirect({ to: '/sign-in', search: { return_to: location.href }, replace: true });
      throw error;
    }
  },
  component: App,
});

function App() {
  const loaded = Route.useLoaderData();
  // Asked again when somebody comes back to the page: what they may do can have changed meanwhile.
  const { data: user = loaded } = useQuery(userQuery);
  const { workspace } = Route.useSearch();
  return (
    <SessionProvider user={user} workspaceId={workspace}>
      <Shell>
        <Guarded />
      </Shell>
      <Reauthenticate />
    </SessionProvider>
  );
}

/** Shows the page to those who have the permission, and says to others who has it. */
function Guarded() {
  const { user, workspace, has, canInOrganization } = useSession();
  const { workspace: asked } = Route.useSearch();
  const path = useMatches({ select: (matches) => matches.at(-1)!.fullPath });
  const page = [...allPages]
    .sort((one, other) => String(other.to).length - String(one.to).length)
    .find(({ to }) => path === to || path === `${to}/` || path.startsWith(to === '/' ? '//' : `${to}/`));
  const anyOf: readonly Permission[] = page?.anyOf ?? [];
  const isAllowed = anyOf.length === 0 || anyOf.some(page?.isOfOrganization ? canInOrganization : has);
  if (asked !== undefined && !workspace && user.workspaces.length > 0) return <NoWorkspace />;
  if (!isAllowed) return <NoPermission permission={anyOf[0]} />;
  return workspace?.status === 'archived' && isOfActs(path) ? <InArchive /> : <Outlet />;
}

/** Writes the workspace into the address, before the page is drawn, so that what other tabs do moves this one nowhere. */
function pin(user: User, { search }: { readonly search: { readonly workspace?: string } }): void {
  const { workspace } = openSession(user, search.workspace);
  if (search.workspace !== undefined || !workspace) return;
  throw redirect({
    ...{ to: '.', search: (before: object) => ({ ...before, workspace: workspace.id }), hash: true, state: true },
    replace: true,
  });
}

/** Whether a page is there for what an archived workspace refuses. */
const isOfActs = (path: string): boolean => path === '/playground' || path.endsWith('/new');
