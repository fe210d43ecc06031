import { type EventType, eventTypeNames, eventTypes } from '../../trail/catalog.ts';

/** The types of which people are told, whatever anybody has chosen, when they are about their own account or key. */
export const personalTypes: readonly EventType[] = eventTypeNames.filter(
  (type) => eventTypes[type].mandatory === 'person',
);

/**
 * Whether somebody who may be told of an event is told whatever anybody has chosen. `isSubject`: it is about their own
 * account or key.
 */
export function isOwed(type: EventType, isSubject: boolean): boolean {
  const { mandatory } = eventTypes[type];
  return mandatory === 'readers' || (mandatory === 'person' && isSubject);
}
