/** What `@lastro/sdk` gives out. */
export type { BatchProgress } from './batches/progress.ts';
export type { BatchResult, Destination, ResultFile } from './batches/result.ts';
export type { ResultRow } from './batches/rows.ts';
export {
  BatchFailedError,
  type BatchRun,
  type BatchToRun,
  type FinishedBatch,
  type RunOptions,
} from './batches/run.ts';
export { Lastro } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type ErrorPlace,
  LastroError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type { EventType, StreamedEvent, WebhookEvent } from './events.ts';
export type { SendOptions, SendProgress } from './files/send.ts';
export type { ContentType, FileToSend, Source } from './files/source.ts';
export type {
  CreditOutputs,
  FieldSalesOutputs,
  FraudOutputs,
  LeadScoringOutputs,
  NetworkFlag,
  PaidMediaOutputs,
  RiskBand,
} from './kinds.ts';
export type { InputsOf, Models, OutputsOf, PredictOptions, Target } from './predict.ts';
export type { LastroOptions } from './settings.ts';
export type { Answered, Body, Page, Paged, Pending, Query, RequestOptions, Result, Schemas } from './signatures.ts';
export type { EventQuery, NotificationNews } from './streams/nouns.ts';
export type { StreamOptions } from './streams/watch.ts';
export type { Ended, WaitOptions } from './wait.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks/verify.ts';
