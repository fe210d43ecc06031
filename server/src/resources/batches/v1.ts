import type { Route } from '../../api/route.ts';

/** When the first version of these addresses was superseded. */
const deprecatedSince = '2026-01-01T00:00:00Z';

/** Where v1 had what v2 has, and the names of its operations. */
const moved = [
  { to: '/v2/api/batches', from: '/v1/api/batches', noun: 'batchesV1' },
  { to: '/v2/api/files', from: '/v1/api/batch-inputs', noun: 'batchInputsV1' },
] as const;

/** The deprecated addresses of v1, which do what those of v2 do and say where these are. */
export function v1Routes(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const place = moved.find(({ to }) => route.path === to || route.path.startsWith(`${to}/`));
    // Signed addresses are given out, never made up by callers: those given out are of v2.
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
