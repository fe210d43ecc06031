import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, Link, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { buttonClass } from './kit/button.tsx';
import { Empty, Failed, Skeleton } from './kit/states.tsx';
import { routeTree } from './routeTree.gen.ts';
import { pageNames } from './shell/pages.ts';
import { common } from './words/common.ts';
import { useWords } from './words/words.ts';
import './shell/theme.ts';
import './styles.css';

const router = createRouter({
  routeTree,
  context: { queries },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: () => <Skeleton />,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  const w = useWords(common);
  const { overview } = useWords(pageNames);
  return (
    <Empty
      title={w.notFound}
      action={
        <Link to="/" className={buttonClass()}>
          {overview}
        </Link>
      }
    >
      {w.notFoundBody}
    </Empty>
  );
}

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
