import { Type } from 'typebox';
import { momentLengthMax, readMoment } from '../../api/moment.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { type AuditClass, auditClasses } from '../../trail/acts/act.ts';
import { auditActionNames, auditClassOf } from '../../trail/catalog.ts';

/** Which entries are asked for; undefined narrows nothing. */
export type EntryFilter = {
  /** At this moment or later. */
  readonly from?: string | undefined;
  /** Before this moment. */
  readonly to?: string | undefined;
  readonly action?: string | undefined;
  /** One of these. */
  readonly actions?: readonly string[] | undefined;
  /** What the action begins with. */
  readonly prefix?: string | undefined;
  /** An action that is left out. */
  readonly without?: string | undefined;
  readonly outcome?: string | undefined;
  readonly actor_id?: string | undefined;
  readonly actor_type?: string | undefined;
  readonly target_type?: string | undefined;
  readonly target_id?: string | undefined;
  /** The target, or what it belongs to. */
  readonly about?: string | undefined;
  readonly channel?: string | undefined;
  readonly ip?: string | undefined;
  readonly request_id?: string | undefined;
  /** A field of the entry's data, and its value as text. */
  readonly data?: { readonly name: string; readonly value: string } | undefined;
};

export const outcomes = ['succeeded', 'denied', 'failed'];
export const actorTypes = ['user', 'api_key', 'sftp_user', 'system', 'operator'];
export const channels = ['api', 'dashboard', 'sftp', 'cli'];

const moment = (description: string) => Type.String({ maxLength: momentLengthMax, description });

/** Query parameters that filter entries. */
export const filterQuery = {
  from: Type.Optional(moment('RFC 3339: recorded at that moment or later.')),
  to: Type.Optional(moment('RFC 3339: recorded before that moment.')),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z-]+\\*?$',
      description: 'An action such as api-key-creation, or the beginning of several: api-key-*.',
    }),
  ),
  without: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z-]+$',
      description: 'An action that is left out, such as audit-read, of which each look at this list is one.',
    }),
  ),
  class: Type.Optional(Type.String({ enum: [...auditClasses] })),
  outcome: Type.Optional(Type.String({ enum: outcomes })),
  actor_id: Type.Optional(shortText()),
  actor_type: Type.Optional(Type.String({ enum: actorTypes })),
  target_type: Type.Optional(shortText()),
  target_id: Type.Optional(shortText()),
  about: Type.Optional(
    shortText(
      'The id of a target, with what belongs to it: versions, training runs, evaluations and backtests of a model, training runs of a task.',
    ),
  ),
  channel: Type.Optional(Type.String({ enum: channels })),
  ip: Type.Optional(shortText('The address as the entry has it.')),
  request_id: Type.Optional(shortText()),
  data: Type.Optional(
    shortText('A field of the data and its value, with = between them: status=succeeded. Values are compared as text.'),
  ),
};

type Asked = { readonly [name in keyof typeof filterQuery]?: string | undefined };

/** Reads the filter of a request. Throws Failure 'invalid_parameter'. */
export function readFilter({ from, to, action, class: group, data, ...equal }: Asked): EntryFilter {
  const isPrefix = action?.endsWith('*') === true;
  return {
    ...equal,
    ...{ from: momentOf('from', from), to: momentOf('to', to) },
    ...{ action: isPrefix ? undefined : action, prefix: isPrefix ? action!.slice(0, -1) : undefined },
    actions: group === undefined ? undefined : actionsOf(group as AuditClass),
    data: data === undefined ? undefined : fieldOf(data),
  };
}

/** The filter in words, as the trail keeps it. */
export function filterInWords(asked: Asked): string[] {
  return Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

function actionsOf(group: AuditClass): string[] {
  return auditActionNames.filter((name) => auditClassOf(name) === group);
}

/** With the fractions of a second that the request has: entries are recorded by the microsecond. */
function momentOf(parameter: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  readMoment(parameter, text);
  return text;
}

function fieldOf(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) };
  const message = 'must be a field and its value, such as status=succeeded';
  throw refuse('invalid_parameter', `data ${message}`, { problems: [{ at: '/query/data', message }] });
}
