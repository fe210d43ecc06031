// Made from GET /v1/api/event-types by `npm test -- sdk/tests/event-data.test.ts -u`: change the catalog.

/** What events tell beside the id of what they are about, by type. */
export type EventData = {
  /** A batch input file upload was requested. */
  readonly 'batch-input-upload-request': { readonly files: readonly { readonly id: string; readonly path: string }[] };
  /** A batch input was deleted. */
  readonly 'batch-input-deletion': { readonly path?: string; readonly reason?: 'erasure' | 'never_sent' };
  /** A batch run was requested. */
  readonly 'batch-request': { readonly files: readonly string[]; readonly model: { readonly model_id: string; readonly alias: string | null; readonly version_id: string } | null };
  /** An interruption of a batch was requested. */
  readonly 'batch-interrupt-request': {};
  /** A batch went to another status: queued, running, succeeded or failed. */
  readonly 'batch-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'failed'; readonly failure?: { readonly code: string; readonly detail: string }; readonly rows_scored?: number; readonly model?: { readonly model_id: string; readonly alias: string | null; readonly version_id: string } | null };
  /** A result was downloaded. */
  readonly 'batch-result-download': { readonly files?: readonly string[] };
  /** A result was deleted. */
  readonly 'batch-result-deletion': { readonly reason?: 'erasure' };
  /** A contract version was proposed, accepted or rejected. */
  readonly 'data-contract-version': { readonly status: 'proposed' | 'active' | 'rejected'; readonly ingestion_id?: string };
  /** A file deviates from the contract: a new version of it is proposed, or the file has errors. */
  readonly 'data-contract-deviation': { readonly classification: 'new_contract_version' | 'data_error'; readonly proposed_contract_id: string | null };
  /** An ingestion went to another status. */
  readonly 'ingestion-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'refused' | 'failed' | 'interrupted'; readonly kind?: 'delivery' | 'reread' };
  /** An erasure was asked for, done or interrupted, or failed. */
  readonly 'erasure-lifecycle': { readonly status: 'queued' | 'succeeded' | 'failed' | 'interrupted' };
  /** A stored object was found not to be what was stored; nothing was made of it. */
  readonly 'object-damage': { readonly expected_sha256: string | null; readonly found: string | null };
  /** A task was deleted. */
  readonly 'task-deletion': { readonly name: string };
  /** A training run went to another status. */
  readonly 'training-run-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted'; readonly minutes?: number; readonly model_id?: string | null; readonly version_id?: string | null };
  /** A training run failed, so that it made no version. */
  readonly 'training-run-failure': { readonly code: string; readonly name?: string; readonly entity?: string };
  /** An evaluation of a version went to another status. */
  readonly 'evaluation-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted'; readonly model_id?: string; readonly version_id?: string };
  /** A validation of a version went to another status. */
  readonly 'validation-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted'; readonly model_id: string; readonly version_id: string };
  /** A version was held against the one that it would replace. */
  readonly 'model-version-validation': { readonly model_id: string; readonly validation_id: string; readonly alias: string | null; readonly compare_with: string | null; readonly verdict: 'better' | 'equal' | 'worse' | 'broken' | 'drifted' | 'misscaled' | 'cannot_tell'; readonly failed: readonly string[] };
  /** A person approved a version for an alias. */
  readonly 'model-version-approval': { readonly model_id: string; readonly alias: string; readonly comment?: string };
  /** The gates of a model were changed, which versions pass before they are given an alias. */
  readonly 'model-gates-update': { readonly approvals: number; readonly automatic: boolean; readonly checks: readonly string[]; readonly changes?: readonly string[] };
  /** A Creator gave a version an alias although it does not pass the gates of its model. */
  readonly 'model-gates-override': { readonly model_id: string; readonly alias: string; readonly reason: string; readonly gates: readonly string[] };
  /** A backtest of a version went to another status. */
  readonly 'backtest-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted'; readonly model_id?: string; readonly version_id?: string };
  /** A backtest of a version was deleted, with its result. */
  readonly 'backtest-deletion': { readonly model_id: string; readonly version_id: string };
  /** A model was deleted with its versions. */
  readonly 'model-deletion': { readonly name: string; readonly task_id: string; readonly versions: number };
  /** A training run made a version. */
  readonly 'model-version-creation': { readonly model_id: string };
  /** A version was activated. */
  readonly 'model-version-activation': { readonly model_id: string };
  /** A version was deactivated. */
  readonly 'model-version-deactivation': { readonly model_id: string };
  /** A version was given an alias. */
  readonly 'model-version-promotion': { readonly model_id: string; readonly alias: string };
  /** A version lost an alias. */
  readonly 'model-version-demotion': { readonly model_id: string; readonly alias: string };
  /** A version was set to answer a share of those whom an alias is asked about, or another share. */
  readonly 'alias-split-update': { readonly model_id: string; readonly alias: string; readonly share: number };
  /** The split of an alias has ended: the version that it points at answers all of it. */
  readonly 'alias-split-end': { readonly model_id: string; readonly alias: string; readonly because: 'ended' | 'replaced' | 'moved' | 'removed' | 'failed' };
  /** An alias was moved back to the version before, as its version failed. */
  readonly 'model-version-rollback': { readonly model_id: string; readonly alias: string; readonly to_version_id: string; readonly signals: readonly string[] };
  /** What a version is asked, or answers, differs for certain from what it was, or what it reads is taken away by a contract; or does so no more. */
  readonly 'model-drift': { readonly status: 'raised' | 'extended' | 'cleared'; readonly kind?: 'drift' | 'performance' | 'contract'; readonly model: string; readonly model_id: string; readonly alarm_id: string; readonly signals: readonly string[] };
  /** What came of predictions is for certain not what the version promised; or is again. */
  readonly 'model-performance': { readonly status: 'raised' | 'extended' | 'cleared'; readonly kind?: 'drift' | 'performance' | 'contract'; readonly model: string; readonly model_id: string; readonly alarm_id: string; readonly signals: readonly string[] };
  /** A version was set to answer what an alias is asked too, or of how many. */
  readonly 'shadow-update': { readonly model_id: string; readonly alias: string; readonly share: number };
  /** A version was set to answer no more beside an alias. */
  readonly 'shadow-end': { readonly model_id: string; readonly alias: string };
  /** The operator released a version of the graph model. */
  readonly 'gfm-version-release': { readonly name: string; readonly model_snapshot: string };
  /** A training run made a version of the workspace's relational model. */
  readonly 'rfm-version-creation': { readonly entity: string };
  /** A replay of predictions, or of a batch, went to another status. */
  readonly 'replay-lifecycle': { readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted'; readonly origin: 'request' | 'self_check'; readonly identical?: number; readonly different?: number; readonly gone?: number };
  /** A replay found predictions that are not answered as they were, or that the log does not have as they were answered. */
  readonly 'replay-difference': { readonly origin: 'request' | 'self_check'; readonly different: number };
  /** An entity of a watch list moved to another band or class, or by its threshold; or many did. */
  readonly 'watch-list-move': { readonly name: string; readonly model_id: string; readonly alias: string; readonly version_id: string; readonly because: 'data' | 'time' | 'version'; readonly as_of: string; readonly moves: number; readonly entry_id?: string; readonly move_id?: string; readonly from_band?: string | null; readonly to_band?: string | null; readonly from_score?: number; readonly to_score?: number };
  /** Embeddings were asked for. */
  readonly 'embedding-request': { readonly source: string; readonly entities: number };
  /** A workspace was created. */
  readonly 'workspace-creation': { readonly name: string };
  /** A workspace was changed. */
  readonly 'workspace-update': { readonly name?: string; readonly time_zone?: string; readonly language?: string };
  /** A workspace was archived. */
  readonly 'workspace-archival': {};
  /** A workspace was taken out of the archive. */
  readonly 'workspace-unarchival': {};
  /** A key was created. */
  readonly 'api-key-creation': { readonly name: string };
  /** A key was deleted. */
  readonly 'api-key-deletion': {};
  /** A key was rotated. */
  readonly 'api-key-recycling': { readonly overlap_hours: number };
  /** A key was renamed. */
  readonly 'api-key-renaming': { readonly from: string; readonly to: string };
  /** A user of SFTP was created. */
  readonly 'sftp-user-creation': { readonly name: string; readonly login: string; readonly public_keys: number; readonly password: boolean };
  /** A user of SFTP was deleted. */
  readonly 'sftp-user-deletion': { readonly name: string };
  /** A file was put in by SFTP. */
  readonly 'sftp-file-receipt': { readonly name: string; readonly file_id: string; readonly bytes: number };
  /** No batch was made of a file that was put in by SFTP. */
  readonly 'sftp-file-refusal': { readonly name: string; readonly problems: readonly string[] };
  /** A webhook was created. */
  readonly 'webhook-creation': { readonly url: string; readonly events: readonly string[] };
  /** A webhook was changed. */
  readonly 'webhook-update': { readonly changed: readonly string[] };
  /** A webhook was deleted. */
  readonly 'webhook-deletion': { readonly url: string };
  /** The signing secret of a webhook was rotated. */
  readonly 'webhook-secret-rotation': { readonly overlap_hours: number };
  /** The service disabled a webhook: its receiver is gone, or has failed for days. */
  readonly 'webhook-disablement': { readonly url: string; readonly reason: string };
  /** A delivery failed at its last attempt. */
  readonly 'webhook-delivery-exhaustion': { readonly webhook_id: string; readonly event_id: string; readonly event_type: string; readonly attempts: number };
  /** Four fifths of what may be used in the month are used. */
  readonly 'usage-limit-warning': { readonly resource: string; readonly of: 'workspace' | 'organization'; readonly percent: number; readonly limit: number; readonly used: number; readonly resets_at: string };
  /** What may be used in the month is used up. */
  readonly 'usage-limit-reached': { readonly resource: string; readonly of: 'workspace' | 'organization'; readonly percent: number; readonly limit: number; readonly used: number; readonly resets_at: string };
  /** An invoice was issued. */
  readonly 'invoice-issuance': { readonly number: string; readonly month: string; readonly currency: string; readonly total_cents: number };
  /** An organization was created. */
  readonly 'organization-creation': { readonly name: string };
  /** The settings of an organization were changed. */
  readonly 'organization-update': { readonly name?: string; readonly second_factor?: string; readonly single_sign_on?: string };
  /** The operator suspended an organization. */
  readonly 'organization-suspension': {};
  /** The operator ended the suspension of an organization. */
  readonly 'organization-resumption': {};
  /** The operator switched a feature of an organization on or off. */
  readonly 'organization-feature-update': { readonly feature: string; readonly enabled: boolean };
  /** The operator put an organization on a price plan. */
  readonly 'price-plan-update': { readonly price_plan: string; readonly before: string | null };
  /** The operator set a quota or took it away. */
  readonly 'quota-update': { readonly resource: string; readonly limit: number | null };
  /** A rule was made about the addresses from which callers come in. */
  readonly 'ip-rule-creation': { readonly cidr: string; readonly applies_to: string; readonly api_key_id: string | null; readonly note?: string | null };
  /** A rule about addresses was deleted. */
  readonly 'ip-rule-deletion': { readonly cidr: string; readonly applies_to: string; readonly api_key_id: string | null; readonly note?: string | null };
  /** A member was added. */
  readonly 'member-addition': { readonly role: string; readonly workspace_id: string | null };
  /** A member was given another role. */
  readonly 'member-role-update': { readonly from: string; readonly to: string };
  /** A member was removed, or left. */
  readonly 'member-removal': { readonly role: string; readonly left: boolean };
  /** Somebody was invited. */
  readonly 'invitation-creation': { readonly email: string; readonly role: string; readonly workspace_id: string | null };
  /** An invitation was sent again. */
  readonly 'invitation-resending': { readonly email: string; readonly role: string; readonly workspace_id: string | null };
  /** An invitation was revoked. */
  readonly 'invitation-revocation': { readonly email: string; readonly role: string; readonly workspace_id: string | null };
  /** An invitation was accepted. */
  readonly 'invitation-acceptance': { readonly user_id: string };
  /** A person signed up. */
  readonly 'user-creation': { readonly user_id: string };
  /** A person changed their name, language or address. */
  readonly 'user-update': { readonly user_id: string; readonly changed: readonly string[]; readonly from?: string; readonly to?: string };
  /** A person deleted their account. */
  readonly 'user-deletion': { readonly user_id: string };
  /** A person signed in. */
  readonly 'login': { readonly user_id: string; readonly method: string; readonly session_id: string };
  /** Somebody tried to sign in to an account and was refused. */
  readonly 'login-failure': { readonly user_id: string; readonly method: string };
  /** A person signed in on a device that was not known. */
  readonly 'device-addition': { readonly user_id: string; readonly session_id: string };
  /** A person came back from an identity provider, and was signed in or refused. */
  readonly 'sso-authentication': { readonly connection_id: string; readonly session_id: string };
  /** A break-glass admin signed in where members must use single sign-on. */
  readonly 'break-glass-sign-in': {};
  /** The operator made a link by which a person signs in once. */
  readonly 'sign-in-link-creation': { readonly user_id: string };
  /** A session ended: by signing out, by its owner from another one, or brought from another device. */
  readonly 'session-revocation': { readonly user_id: string; readonly reason: string; readonly sessions?: number };
  /** A second factor was set up or taken off, or its recovery codes were made anew. */
  readonly 'second-factor-update': { readonly user_id: string; readonly change: 'totp_set_up' | 'totp_removed' | 'recovery_codes_renewed' };
  /** A passkey was registered. */
  readonly 'passkey-creation': { readonly user_id: string; readonly name: string };
  /** A passkey was renamed. */
  readonly 'passkey-renaming': { readonly user_id: string; readonly name: string };
  /** A passkey was deleted. */
  readonly 'passkey-deletion': { readonly user_id: string; readonly name: string };
  /** A password was changed or reset. */
  readonly 'password-update': { readonly user_id: string; readonly first: boolean };
  /** A domain of the organization was named. */
  readonly 'domain-creation': { readonly domain: string };
  /** A domain was proved by its record in the DNS. */
  readonly 'domain-verification': { readonly domain: string };
  /** A domain of the organization was deleted. */
  readonly 'domain-deletion': { readonly domain: string };
  /** A connection to an identity provider was added. */
  readonly 'sso-connection-creation': { readonly kind: string; readonly name: string };
  /** A connection to an identity provider was changed. */
  readonly 'sso-connection-update': { readonly changed: readonly string[] };
  /** People may sign in through a connection. */
  readonly 'sso-connection-activation': {};
  /** Nobody may sign in through a connection any more. */
  readonly 'sso-connection-deactivation': {};
  /** A connection to an identity provider was deleted. */
  readonly 'sso-connection-deletion': { readonly kind: string; readonly name: string };
  /** A Creator was made a break-glass admin. */
  readonly 'break-glass-admin-addition': {};
  /** A break-glass admin was made a member like others. */
  readonly 'break-glass-admin-removal': {};
};

/** Types that webhooks can subscribe to. */
export type WebhookType =
  | 'batch-input-upload-request'
  | 'batch-input-deletion'
  | 'batch-request'
  | 'batch-interrupt-request'
  | 'batch-lifecycle'
  | 'batch-result-download'
  | 'batch-result-deletion'
  | 'data-contract-version'
  | 'data-contract-deviation'
  | 'ingestion-lifecycle'
  | 'erasure-lifecycle'
  | 'object-damage'
  | 'task-deletion'
  | 'training-run-lifecycle'
  | 'training-run-failure'
  | 'evaluation-lifecycle'
  | 'validation-lifecycle'
  | 'model-version-validation'
  | 'model-version-approval'
  | 'model-gates-update'
  | 'model-gates-override'
  | 'backtest-lifecycle'
  | 'backtest-deletion'
  | 'model-deletion'
  | 'model-version-creation'
  | 'model-version-activation'
  | 'model-version-deactivation'
  | 'model-version-promotion'
  | 'model-version-demotion'
  | 'alias-split-update'
  | 'alias-split-end'
  | 'model-version-rollback'
  | 'model-drift'
  | 'model-performance'
  | 'shadow-update'
  | 'shadow-end'
  | 'gfm-version-release'
  | 'rfm-version-creation'
  | 'replay-lifecycle'
  | 'replay-difference'
  | 'watch-list-move'
  | 'embedding-request'
  | 'workspace-creation'
  | 'workspace-update'
  | 'workspace-archival'
  | 'workspace-unarchival'
  | 'api-key-creation'
  | 'api-key-deletion'
  | 'api-key-recycling'
  | 'api-key-renaming'
  | 'sftp-user-creation'
  | 'sftp-user-deletion'
  | 'sftp-file-receipt'
  | 'sftp-file-refusal'
  | 'webhook-creation'
  | 'webhook-update'
  | 'webhook-deletion'
  | 'webhook-secret-rotation'
  | 'webhook-disablement'
  | 'usage-limit-warning'
  | 'usage-limit-reached'
  | 'member-addition'
  | 'member-role-update'
  | 'member-removal'
  | 'invitation-creation'
  | 'invitation-resending'
  | 'invitation-revocation'
  | 'invitation-acceptance';
