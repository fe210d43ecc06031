import { type Because, Failure, type FailureCode, type Problem } from './lib/failure.ts';

/**
 * Every code that an error answer can carry, with its class and its meaning. The list is closed: callers may switch on
 * it.
 */
export const errorCodes = {
  malformed: ['malformed', 'The request cannot be read; detail says where.'],
  malformed_json: [
    'malformed',
    'The body is no JSON in UTF-8, nests without end, or has text that cannot be kept: NUL, half a surrogate pair.',
  ],
  invalid_parameter: [
    'malformed',
    'A parameter of the path or the query is missing, unknown or of the wrong type; errors names each.',
  ],
  unsupported_media_type: [
    'unsupported_media_type',
    'The body is not of the type that the address takes, which is application/json but for files, or is compressed.',
  ],
  schema_mismatch: ['invalid', 'Fields of the body are missing, unknown or of the wrong type; errors names each.'],
  invalid: ['invalid', 'The request is well formed and asks for something that cannot be.'],
  unknown_input: ['invalid', 'A prediction names an input that the version does not have.'],
  missing_input: ['invalid', 'A prediction lacks an input that the version requires.'],
  invalid_input: ['invalid', 'An input has a value that its field does not take.'],
  not_changeable: ['invalid', 'An input that was declared changeable cannot be changed; detail says why.'],
  reference_date_in_future: ['invalid', 'Predictions are made as of today or an earlier day.'],
  invalid_contract: ['invalid', 'The contract document breaks rules of its format; errors names each.'],
  invalid_task: ['invalid', 'The task definition cannot be used; errors names each fault.'],
  weak_password: ['invalid', 'The password is short or easy to guess; errors says why.'],
  personal_address: ['invalid', 'The address is of free mail: it must be of a company.'],
  code_invalid: ['invalid', 'The code is not the one that the app shows now, or has been used.'],
  passkey_invalid: ['invalid', 'What the authenticator answered is not what was asked for, or not for this service.'],
  token_invalid: ['invalid', 'The token has been used, replaced or revoked, or has expired.'],
  outbound_refused: [
    'invalid',
    'The service does not connect to this address: it is not https, not well formed, or not public.',
  ],
  outbound_failed: [
    'invalid',
    'No answer came from an address that you named, or none that is whole and within the limits; detail says why.',
  ],
  idempotency_key_reused: ['invalid', 'This Idempotency-Key came with another body before.'],
  scope_required: [
    'malformed',
    'The session is of several workspaces or organizations, and a header must name one; or of none.',
  ],
  invalid_cursor: ['malformed', 'The cursor is not one this list gave out.'],
  digest_mismatch: ['malformed', 'The bytes do not have the MD5 that was declared; nothing was stored.'],
  content_type_mismatch: ['malformed', 'The Content-Type is not the one declared; nothing was stored.'],
  unauthenticated: [
    'unauthenticated',
    'No key or session, a malformed one, or one that is unknown, revoked, ended or expired.',
  ],
  sign_in_failed: [
    'unauthenticated',
    'The address, the password, the code or the passkey is wrong, or the address signs in by single sign-on.',
  ],
  sso_refused: ['unauthenticated', 'What the identity provider answered was refused; detail says for what.'],
  forbidden: ['forbidden', 'Not allowed here.'],
  permission_denied: [
    'forbidden',
    'The role behind the key does not have this right, or the key is scoped without it.',
  ],
  wrong_scope: [
    'forbidden',
    'The address is of an organization as a whole and the credential of one of its workspaces, or the other way round.',
  ],
  address_not_allowed: ['forbidden', 'The rules of the place or of the key name no network with your address.'],
  organization_suspended: ['forbidden', 'The operator of this installation has suspended the organization: ask them.'],
  session_required: ['forbidden', 'People do this, signed in; no key may.'],
  reauthentication_required: ['forbidden', 'It is sensitive: prove once more who you are, then send it again.'],
  second_factor_required: [
    'forbidden',
    'The organization wants a second factor of its members: set one up, or sign in with your passkey.',
  ],
  feature_disabled: ['forbidden', 'The operator of the installation has not switched it on for the organization.'],
  sso_required: ['forbidden', 'The organization wants its members to sign in by single sign-on.'],
  cross_origin: ['forbidden', 'A page of another origin had a browser send this.'],
  wrong_address: ['forbidden', 'The invitation is to another address than that of the account.'],
  signature_invalid: ['forbidden', 'The signed address was altered.'],
  signature_expired: [
    'forbidden',
    'The signed address, or the key or session that asked for it, has expired or ended; ask anew.',
  ],
  not_found: ['not_found', 'It does not exist in this workspace.'],
  route_not_found: ['not_found', 'There is no such address.'],
  method_not_allowed: ['method_not_allowed', 'The address takes other methods; Allow names them.'],
  timeout: ['timeout', 'The request did not arrive in time.'],
  conflict: ['conflict', 'The resource is in a state that does not allow this.'],
  file_not_uploaded: ['conflict', 'The file was declared and its bytes have not arrived.'],
  file_already_uploaded: ['conflict', 'The file has its bytes already; files never change.'],
  offset_mismatch: [
    'conflict',
    'The part does not begin where the bytes end that have arrived: Upload-Offset says where that is.',
  ],
  file_deleted: ['conflict', 'The file has been deleted.'],
  in_use: ['conflict', 'It is needed still, so that it is not deleted; detail names by what, and what to do.'],
  model_training: ['conflict', 'A training run is making what is asked for; detail says how far it is.'],
  version_inactive: ['conflict', 'The version is not active.'],
  gates_failed: [
    'conflict',
    'The version does not pass the gates of its model: errors names each with what was measured and asked, and what to do.',
  ],
  version_aliased: [
    'conflict',
    'An alias points at the version, or it answers a share of one: move the alias, or end the split, first.',
  ],
  no_contract: ['conflict', 'The workspace has no active contract yet.'],
  data_behind_contract: [
    'conflict',
    'The data are under an earlier contract than the active one; detail names both, what changes, and what to do.',
  ],
  no_encoder: ['conflict', 'Nothing has been pre-trained for these entities yet.'],
  no_data: ['conflict', 'The workspace has no data yet.'],
  name_taken: ['conflict', 'The name is in use in this workspace.'],
  batch_not_finished: ['conflict', 'The batch has no result yet.'],
  batch_without_result: ['conflict', 'The batch ended before anything was scored.'],
  already_finished: ['conflict', 'It has finished; there is nothing left to interrupt.'],
  last_creator: ['conflict', 'Every organization, and so every workspace, keeps at least one Creator.'],
  break_glass_required: [
    'conflict',
    'Single sign-on needs a break-glass admin: a Creator of the whole organization with password and second factor.',
  ],
  domain_taken: ['conflict', 'The domain, or one above or below it, is of another organization.'],
  domain_not_proved: ['conflict', 'The DNS does not have the record that proves the domain; detail says which.'],
  would_lock_out: [
    'conflict',
    'You would not come in from your address any more: name it first, or confirm by confirm=true.',
  ],
  already_invited: ['conflict', 'The address has an open invitation to the same place.'],
  sign_in_first: ['conflict', 'The invited address has an account: sign in, and accept then.'],
  workspace_archived: ['conflict', 'The workspace is archived.'],
  webhook_disabled: ['conflict', 'The webhook is disabled: enable it first.'],
  gone: ['gone', 'It was here and is no longer.'],
  endpoint_sunset: ['gone', 'The endpoint was retired; detail names what replaces it.'],
  result_deleted: ['gone', 'The result has been deleted.'],
  payload_expired: ['gone', 'What was sent is no longer kept, so that it cannot be sent again.'],
  entity_erased: ['gone', 'The entity was erased on request.'],
  pin_gone: [
    'gone',
    'The answer cannot be given again: the version, the snapshot or the file that it was made from is gone; errors names which.',
  ],
  precondition_failed: ['precondition_failed', 'What If-Match or If-None-Match asks for does not hold.'],
  range_not_satisfiable: [
    'range_not_satisfiable',
    'The Range lies outside of the file; Content-Range tells its length.',
  ],
  rate_limited: [
    'rate_limited',
    'More requests or open streams with this key, or in this workspace, than its limit allows, or too many unknown keys from this address; try again after Retry-After.',
  ],
  quota_exceeded: [
    'rate_limited',
    'The workspace or its organization has used what it may use in a month, or has as much at once as it may have; detail names the quota, Retry-After says when it is worth asking again.',
  ],
  headers_too_large: ['headers_too_large', 'The head of the request is too large.'],
  too_many_entities: ['limit_exceeded', 'The table has more entities than are searched at once.'],
  body_too_large: ['limit_exceeded', 'The body is larger than this route takes.'],
  limit_exceeded: ['limit_exceeded', 'More than this route takes; detail says the limit.'],
  budget_exceeded: [
    'limit_exceeded',
    'The work needed more time, memory or space than one task may use; detail names the limit and what to do.',
  ],
  unavailable: ['unavailable', 'Something the service needs does not answer; try again after Retry-After.'],
  insufficient_storage: ['insufficient_storage', 'No room left to store the bytes; nothing was stored.'],
  object_damaged: [
    'internal',
    'Stored bytes are not what they were when they were stored; nothing was answered from them, and the operator is told.',
  ],
  internal: ['internal', 'A fault of the service.'],
} as const satisfies Readonly<Record<string, readonly [FailureCode, string]>>;
export type ErrorCode = keyof typeof errorCodes;

/** Makes the Failure of a documented code. */
export function refuse(
  code: ErrorCode,
  message: string,
  options: {
    problems?: readonly Problem[];
    because?: Because;
    cause?: unknown;
    headers?: Readonly<Record<string, string>>;
  } = {},
): Failure {
  return new Failure(errorCodes[code][0], message, { ...options, reason: code });
}

/**
 * Makes the refusal of a text in the body from the Failure of its parser. The pointer of each problem is `pointer`, the
 * field that holds the text; its message begins with the place in the text.
 */
export function refuseText(code: ErrorCode, pointer: string, { message, problems, because }: Failure): Failure {
  const told = problems.map((problem) => ({ ...problem, at: pointer, message: `${problem.at}: ${problem.message}` }));
  const whole = { at: pointer, message, ...(because && { because }) };
  return refuse(code, message, { problems: told.length > 0 ? told : [whole] });
}

/**
 * Awaits the resource that a field of the body names. If it does not exist or is not ready, the refusal gets a problem
 * that points to the field.
 */
export async function named<T>(pointer: string, looking: Promise<T>): Promise<T> {
  try {
    return await looking;
  } catch (error) {
    if (!(error instanceof Failure) || error.reason === undefined || error.problems.length > 0) throw error;
    throw refuse(error.reason as ErrorCode, error.message, { problems: [{ at: pointer, message: error.message }] });
  }
}
