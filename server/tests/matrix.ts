/**
 * What every route answers: who may ask by the permission matrix as it is printed, with what, and what trail it leaves.
 */
import { ofData } from './matrix/data.ts';
import type { Expectation } from './matrix/expectation.ts';
import { ofModels } from './matrix/models.ts';
import { ofPeople } from './matrix/people.ts';

const current: Readonly<Record<string, Expectation>> = { ...ofPeople, ...ofData, ...ofModels };

/** What has moved to v2 is still served under v1, with the same rights; signed addresses are not. */
export const expectations: Readonly<Record<string, Expectation>> = {
  ...current,
  ...Object.fromEntries(
    Object.entries(current)
      .filter(([route, { right }]) => / \/v2\//.test(route) && right !== 'address')
      .map(([route, expectation]) => [
        route.replace('/v2/api/batches', '/v1/api/batches').replace('/v2/api/files', '/v1/api/batch-inputs'),
        expectation,
      ]),
  ),
};
