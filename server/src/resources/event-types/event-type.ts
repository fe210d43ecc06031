import { Type } from 'typebox';
import { permissions, roles } from '../../access/authorize.ts';
import { answerOf } from '../../api/named.ts';
import { auditClasses } from '../../trail/acts/act.ts';
import { auditActions, catalog, type EventType, isEventType } from '../../trail/catalog.ts';

const example = {
  ...{ name: 'batch-lifecycle', group: 'Batches', since: '0.1.0' },
  description: 'A batch went to another status: queued, running, succeeded or failed.',
  ...{ audit_class: 'data', webhook: true, mandatory: null, notified_by_default: false },
  readable_by: ['creator', 'developer', 'analyst', 'member'],
  payload: { type: 'object', required: ['status'], properties: { status: { type: 'string' } } },
};

export const eventTypeSchema = answerOf('EventType', example, {
  name: Type.String(),
  group: Type.String({ description: 'What it is about.' }),
  description: Type.String(),
  since: Type.String({ description: 'The release that brought it.' }),
  audit_class: Type.String({ enum: [...auditClasses] }),
  webhook: Type.Boolean({ description: 'Whether webhooks can subscribe to it.' }),
  mandatory: Type.Union([Type.String({ enum: ['person', 'readers'] }), Type.Null()], {
    description:
      'Who is told whatever they have chosen: the person whose account or key it is, or all who may read it.',
  }),
  notified_by_default: Type.Boolean({ description: 'Whether people are told who have chosen nothing.' }),
  readable_by: Type.Array(Type.String({ enum: [...roles] }), { description: 'The roles that may read it.' }),
  payload: Type.Record(Type.String(), Type.Unknown(), {
    description: 'JSON Schema of `data`, which has the `id` of the resource, too. Fields are added, never taken away.',
  }),
});

export const eventTypesSchema = answerOf('EventTypes', { data: [example] }, { data: Type.Array(eventTypeSchema) });

/** Every event type as the API and the reference show it, in the order of the catalog. */
export function presentEventTypes() {
  return catalog.flatMap(([group, acts]) =>
    (Object.keys(acts) as (keyof typeof auditActions)[]).filter(isEventType).map((name) => present(group, name)),
  );
}

function present(group: string, name: EventType) {
  const { means, since, audit, reach, mandatory, byDefault, readBy, payload } = auditActions[name];
  return {
    ...{ name, group, description: means, since, audit_class: audit, webhook: reach === 'webhooks' },
    ...{ mandatory, notified_by_default: byDefault, readable_by: [...permissions[readBy]] },
    // As JSON has it: the schemas carry marks of their own.
    payload: JSON.parse(JSON.stringify(payload)) as Record<string, unknown>,
  };
}
