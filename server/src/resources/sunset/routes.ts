import { openRoute, type Route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';

const retired: Readonly<Record<string, string>> = {
  '/v1/api/risk_score': 'POST /v1/api/prediction/{model_id}/{alias}',
  '/v1/api/entities/context/contact': 'POST /v1/api/ingestions',
  '/v1/api/entities/context/transaction': 'POST /v1/api/ingestions',
  '/v1/api/entities/context/invoices': 'POST /v1/api/ingestions',
};

/** Endpoints that were retired: they say so to anyone, before asking who it is. */
export const sunsetRoutes = (): Route[] =>
  Object.entries(retired).map(([path, successor]) =>
    openRoute(
      {
        method: 'POST',
        path,
        operation: `sunset.${path.split('/').at(-1)}`,
        summary: `Retired; use ${successor}`,
        access: 'public',
        deprecated: { since: '2026-01-01', successor: successor.split(' ')[1] },
        answers: { 410: null },
        admit() {
          throw refuse('endpoint_sunset', `${path} was retired; use ${successor}`);
        },
      },
      async () => ({ status: 410 }),
    ),
  );
