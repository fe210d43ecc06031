import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Permission } from '../../access/authorize.ts';

/**
 * Whom an act reaches besides the audit trail, which keeps all of them. `audit`: nobody. `people`: it makes an event,
 * of which people are told in their inbox and by mail, and which the feed of its workspace has. `webhooks`: its event
 * goes to the webhooks of its workspace, too. Webhooks belong to a workspace: an act in the organization as a whole
 * reaches people.
 */
export type Reach = 'audit' | 'people' | 'webhooks';

/** What auditors sort acts by: settings and rights, customers' data, signing in, and what the service did by itself. */
export const auditClasses = ['admin', 'data', 'auth', 'system'] as const;
export type AuditClass = (typeof auditClasses)[number];

export type Act<P extends TProperties = TProperties, R extends Reach = Reach> = {
  readonly means: string;
  /** The release of the service that brought it. */
  readonly since: string;
  /** The permission needed to read its event: the one for reading what the event is about. */
  readonly readBy: Permission;
  readonly audit: AuditClass;
  readonly reach: R;
  /**
   * Who is told whatever they have chosen: `person`, whose account or key it is; or `readers`, all who may read it.
   */
  readonly mandatory: 'person' | 'readers' | null;
  /** Whether people are told who have chosen nothing. */
  readonly byDefault: boolean;
  /** What its entry and its event say, besides the target. */
  readonly payload: TObject<P>;
};

type Given<P extends TProperties, R extends Reach> = Pick<Act<P, R>, 'means' | 'readBy' | 'audit' | 'reach'> & {
  readonly since?: string;
  readonly mandatory?: 'person' | 'readers';
  readonly byDefault?: boolean;
  readonly payload?: P;
};

export function act<R extends Reach, P extends TProperties = Record<never, never>>({
  since = '0.1.0',
  mandatory,
  byDefault = false,
  payload,
  ...given
}: Given<P, R>): Act<P, R> {
  // Without a payload there are no properties, of any type.
  const properties = payload ?? ({} as P);
  return { ...given, since, mandatory: mandatory ?? null, byDefault, payload: Type.Object(properties) };
}

/** What `record` is given with an act of this kind. */
export type PayloadOf<A extends Act> = A extends Act<infer P> ? Readonly<Static<TObject<P>>> : never;
