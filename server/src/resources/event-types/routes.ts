import { Type } from 'typebox';
import { openRoute, type Route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { eventTypeSchema, eventTypesSchema, presentEventTypes } from './event-type.ts';

export const eventTypeRoutes = (): Route[] => [
  openRoute(
    {
      method: 'GET',
      path: '/v1/api/event-types',
      operation: 'eventTypes.list',
      summary: 'The catalog of events: what webhooks, notifications and the audit log are told of',
      description:
        'Types are added over time, and fields to their payloads; none is taken away or changes its meaning.',
      access: 'public',
      answers: { 200: eventTypesSchema },
    },
    async () => ({ status: 200, body: { data: presentEventTypes() } }),
  ),
  openRoute(
    {
      method: 'GET',
      path: '/v1/api/event-types/{name}',
      operation: 'eventTypes.get',
      summary: 'One event type',
      access: 'public',
      params: Type.Object({ name: Type.String() }),
      answers: { 200: eventTypeSchema },
      problems: ['not_found'],
    },
    async (_, { params: { name } }) => {
      const found = presentEventTypes().find((type) => type.name === name);
      if (!found) throw refuse('not_found', `there is no event type ${name}`);
      return { status: 200, body: found };
    },
  ),
];
