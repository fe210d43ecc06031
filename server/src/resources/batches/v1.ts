import type { Route } from '../../api/route.ts';

/** The moment at which v1 of these addresses was deprecated. */
const deprecatedSince = '2026-01-01T00:00:00Z';

/** The v2 address, its v1 predecessor, and the noun of the v1 operations. */
const moved = [
  { to: '/v2/api/batches', from: '/v1/api/batches', noun: 'batchesV1' },
  { to: '/v2/api/files', from: '/v1/api/batch-inputs', noun: 'batchInputsV1' },
] as const;

/** Returns the deprecated v1 routes. They do the same as the v2 routes and name these as their successors. */
export function v1Routes(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const place = moved.find(({ to }) => route.path === to || route.path.startsWith(`${to}/`));
    // Signed addresses are only issued by the service, and those that it issues are v2.
    if (!place || route.signed) return [];
    return [
      {
        ...route,
        path: `${place.from}${route.path.slice(place.to.length)}`,
        operation: `${place.noun}.${route.operation.split('.')[1]}`,
        deprecated: { since: deprecatedSince, successor: place.to },
      },
    ];
  });
}
