import { type BatchResult, openResult } from './batches/result.ts';
import type { ResultRow } from './batches/rows.ts';
import { type BatchRun, type BatchToRun, type RunOptions, runBatch } from './batches/run.ts';
import { bindNouns } from './bind.ts';
import type { StreamedEvent } from './events.ts';
import { type SendOptions, sendFiles } from './files/send.ts';
import type { FileToSend } from './files/source.ts';
import { addressOf } from './http/address.ts';
import type { Nouns } from './nouns.ts';
import { type InputsOf, type OutputsOf, type PredictOptions, predict, type Target } from './predict.ts';
import { type LastroOptions, readSettings } from './settings.ts';
import type { OperationId, Pending, Query, RequestOptions, Result, Schemas } from './signatures.ts';
import { type EventQuery, type NotificationNews, watchEvents, watchNotifications, watchRun } from './streams/nouns.ts';
import type { StreamOptions } from './streams/watch.ts';
import { type Ended, type WaitOptions, waitByAnswer, waitByAsking } from './wait.ts';

/** Nouns that stand within another one: `modelVersions` of the API is `models.versions` here. */
type Nested =
  | 'modelVersions'
  | 'aliases'
  | 'modelValidations'
  | 'modelApprovals'
  | 'modelGates'
  | 'webhookDeliveries'
  | 'webhookRecoveries'
  | Extract<keyof Nouns, `organization${Capitalize<string>}`>;

/** Work that can be waited for: resolves with it as it ended, well or not. */
type Waits<O extends OperationId> = {
  wait(id: string, options?: WaitOptions): Promise<Ended<Extract<Result<O>, { readonly status: string }>>>;
};

/** A client of the service: a namespace for each noun of the API, and what makes several calls one. */
export interface Lastro extends Omit<Nouns, Nested> {
  /** Asks a model: `predict('credit/production', inputs)`. */
  predict<T extends Target>(target: T, inputs: InputsOf<T>, options?: PredictOptions): Pending<OutputsOf<T>>;

  readonly files: Nouns['files'] & {
    /** Hashes, declares and sends files; returns their ids in the same order. */
    send(files: readonly FileToSend[], options?: SendOptions): Promise<readonly string[]>;
  };
  readonly batches: Nouns['batches'] &
    Waits<'batches.get'> & {
      /** Sends files, has their rows scored and follows that: awaited, the result; iterated over, how far it is. */
      run<Row = ResultRow>(batch: BatchToRun, options?: RunOptions): BatchRun<Row>;
      /** The result of a batch that has ended. */
      openResult<Row = ResultRow>(id: string, options?: RequestOptions): BatchResult<Row>;
    };
  readonly models: Nouns['models'] & {
    readonly versions: Nouns['modelVersions'];
    readonly aliases: Nouns['aliases'];
    readonly validations: Nouns['modelValidations'];
    readonly approvals: Nouns['modelApprovals'];
    readonly gates: Nouns['modelGates'];
  };
  readonly ingestions: Nouns['ingestions'] & Waits<'ingestions.get'>;
  readonly erasures: Nouns['erasures'] & Waits<'erasures.get'>;
  readonly evaluations: Nouns['evaluations'] & Waits<'evaluations.get'>;
  readonly trainingRuns: Nouns['trainingRuns'] &
    Waits<'trainingRuns.get'> & {
      /** A run as it is now, and again whenever it changes, until it has ended. */
      stream(id: string, options?: StreamOptions): AsyncGenerator<Schemas['TrainingRun']>;
    };
  readonly events: Nouns['events'] & {
    /** Events as they happen, without a gap where connections break. */
    stream(query?: EventQuery, options?: StreamOptions): AsyncGenerator<StreamedEvent>;
  };
  readonly notifications: Nouns['notifications'] & {
    /** What comes to the inbox of whoever is signed in, as it comes. */
    stream(query?: { readonly after?: string }, options?: StreamOptions): AsyncGenerator<NotificationNews>;
  };
  readonly webhooks: Nouns['webhooks'] & {
    readonly deliveries: Nouns['webhookDeliveries'];
    readonly recoveries: Nouns['webhookRecoveries'];
  };
  readonly auditExports: Nouns['auditExports'] & Waits<'auditExports.get'>;
  readonly ssoConnections: Nouns['ssoConnections'] & {
    /** Where a browser is sent to sign in at the identity provider. */
    signInUrl(id: string, query?: Query<'ssoConnections.beginSignIn'>): string;
  };
  /** The organization, and what is of it as a whole rather than of one workspace. */
  readonly organization: Nouns['organization'] & {
    readonly members: Nouns['organizationMembers'];
    readonly invitations: Nouns['organizationInvitations'];
    readonly ipRules: Nouns['organizationIpRules'];
    readonly usage: Nouns['organizationUsage'];
    readonly usageRecords: Nouns['organizationUsageRecords'];
    readonly auditEntries: Nouns['organizationAuditEntries'];
    readonly auditCheckpoints: Nouns['organizationAuditCheckpoints'];
    readonly auditExports: Nouns['organizationAuditExports'] & Waits<'organizationAuditExports.get'>;
    readonly notificationPreferences: Nouns['organizationNotificationPreferences'];
    readonly notificationDefaults: Nouns['organizationNotificationDefaults'];
  };
}

/** Throws TypeError for options that cannot be. */
function createClient(options: LastroOptions): Lastro {
  const settings = readSettings(options);
  const nouns = bindNouns(settings);
  const { files, batches, ingestions, erasures, evaluations, trainingRuns, auditExports, organizationAuditExports } =
    nouns;
  return {
    ...withoutNested(nouns),
    predict: (target, inputs, asked = {}) => predict(settings, target, inputs, asked),
    files: { ...files, send: (sent, asked) => sendFiles(settings, files, sent, asked) },
    batches: {
      ...batches,
      wait: (id, asked) => waitByAnswer((query, each) => batches.get(id, query, each), asked),
      run: (batch, asked = {}) => runBatch(settings, nouns, batch, asked),
      openResult: (id, asked = {}) => openResult(settings, batches, id, asked),
    },
    models: {
      ...nouns.models,
      versions: nouns.modelVersions,
      aliases: nouns.aliases,
      validations: nouns.modelValidations,
      approvals: nouns.modelApprovals,
      gates: nouns.modelGates,
    },
    ingestions: {
      ...ingestions,
      wait: (id, asked) => waitByAnswer((query, each) => ingestions.get(id, query, each), asked),
    },
    erasures: { ...erasures, wait: (id, asked) => waitByAnswer((query, each) => erasures.get(id, query, each), asked) },
    evaluations: {
      ...evaluations,
      wait: (id, asked) => waitByAnswer((query, each) => evaluations.get(id, query, each), asked),
    },
    trainingRuns: {
      ...trainingRuns,
      wait: (id, asked) => waitByAnswer((query, each) => trainingRuns.get(id, query, each), asked),
      stream: (id, asked = {}) => watchRun(settings, id, asked),
    },
    events: { ...nouns.events, stream: (query = {}, asked = {}) => watchEvents(settings, query, asked) },
    notifications: {
      ...nouns.notifications,
      stream: (query = {}, asked = {}) => watchNotifications(settings, query, asked),
    },
    webhooks: { ...nouns.webhooks, deliveries: nouns.webhookDeliveries, recoveries: nouns.webhookRecoveries },
    auditExports: { ...auditExports, wait: (id, asked) => waitByAsking((each) => auditExports.get(id, each), asked) },
    ssoConnections: {
      ...nouns.ssoConnections,
      signInUrl: (id, query = {}) =>
        `${settings.baseUrl}${addressOf('/v1/api/sso-connections/{id}/sign-in', [id], query)}`,
    },
    organization: {
      ...nouns.organization,
      members: nouns.organizationMembers,
      invitations: nouns.organizationInvitations,
      ipRules: nouns.organizationIpRules,
      usage: nouns.organizationUsage,
      usageRecords: nouns.organizationUsageRecords,
      auditEntries: nouns.organizationAuditEntries,
      auditCheckpoints: nouns.organizationAuditCheckpoints,
      auditExports: {
        ...organizationAuditExports,
        wait: (id, asked) => waitByAsking((each) => organizationAuditExports.get(id, each), asked),
      },
      notificationPreferences: nouns.organizationNotificationPreferences,
      notificationDefaults: nouns.organizationNotificationDefaults,
    },
  };
}

function withoutNested(nouns: Nouns): Omit<Nouns, Nested> {
  const { modelVersions, aliases, webhookDeliveries, webhookRecoveries, ...outer } = nouns;
  const { modelValidations, modelApprovals, modelGates, ...others } = outer;
  const kept = Object.entries(others).filter(([noun]) => noun === 'organization' || !noun.startsWith('organization'));
  // Of the names that are left, none is a nested one.
  return Object.fromEntries(kept) as unknown as Omit<Nouns, Nested>;
}

/** `new Lastro({ apiKey })`. A class for `new` and `instanceof`; what it has is what `createClient` makes. */
export const Lastro = class Lastro {
  constructor(options: LastroOptions = {}) {
    Object.assign(this, createClient(options));
  }
} as unknown as new (
  options?: LastroOptions,
) => Lastro;
