import { openRoute, type Route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';

/** By path: the operation's name and the operation that replaces it. */
const retired: Readonly<Record<string, readonly [string, string]>> = {
  '/v1/api/risk_score': ['scoreRisk', 'POST /v1/api/prediction/{model_id}/{alias}'],
  '/v1/api/entities/context/contact': ['addContact', 'POST /v1/api/ingestions'],
  '/v1/api/entities/context/transaction': ['addTransaction', 'POST /v1/api/ingestions'],
  '/v1/api/entities/context/invoices': ['addInvoices', 'POST /v1/api/ingestions'],
};

/**
 * The routes of retired endpoints. They refuse with 'endpoint_sunset' before authentication, so every caller sees it.
 */
export const sunsetRoutes = (): Route[] =>
  Object.entries(retired).map(([path, [name, successor]]) =>
    openRoute(
      {
        method: 'POST',
        path,
        operation: `sunset.${name}`,
        summary: `Retired; use ${successor}`,
        access: 'public',
        deprecated: { since: '2026-01-01', successor: successor.split(' ')[1] },
        problems: ['endpoint_sunset'],
        answers: {},
        admit() {
          throw refuse('endpoint_sunset', `${path} was retired; use ${successor}`);
        },
      },
      async () => ({ status: 410 }),
    ),
  );
