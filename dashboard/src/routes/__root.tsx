import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Hints } from '../kit/hints.tsx';
import { Failed } from '../kit/states.tsx';
import { Toasts } from '../kit/toast.tsx';

/** What every route may use before its page is shown. */
export type RouterContext = { readonly queries: QueryClient };

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
});

function Root() {
  return (
    <>
      <Outlet />
      <Toasts />
      <Hints />
    </>
  );
}
