import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { refuse } from '../../errors.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import type { PasskeyRow } from './sql.ts';

/** Most passkeys of one user: browsers are told of all of them. */
export const passkeysMax = 20;

/** Most characters of the id of a credential: of 1,023 bytes in base64url (WebAuthn, §4). */
const idLengthMax = 1_364;
/** Most characters of what an authenticator says: far more than keys of any kind take. */
const saidLengthMax = 8_192;
/** Browsers add fields as the standard grows. */
const browserFields = { maxProperties: 20, [bytesMax]: 32 * 1024 };
const transportsMax = 10;

const said = Type.String({ maxLength: saidLengthMax });
const idText = Type.String({ maxLength: idLengthMax });
const head = { id: idText, rawId: idText, type: Type.Literal('public-key') };
const headExample = { id: 'k3VqZw', rawId: 'k3VqZw', type: 'public-key' } as const;

export const attestationExample = {
  ...headExample,
  response: { clientDataJSON: 'eyJ0eXBlIjoi…', attestationObject: 'o2NmbXRk…', transports: ['internal'] },
};
/** What `navigator.credentials.create` answers, as its `toJSON` writes it. */
export const attestationSchema = Type.Object(
  {
    ...head,
    response: Type.Object(
      {
        ...{ clientDataJSON: said, attestationObject: said },
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: transportsMax })),
      },
      browserFields,
    ),
  },
  { title: 'Attestation', ...browserFields },
);

export const assertionExample = {
  ...headExample,
  response: {
    ...{ clientDataJSON: 'eyJ0eXBlIjoi…', authenticatorData: 'SZYN5YgO…', signature: 'MEUCIQDx…' },
    userHandle: '3Wn0sP1x…',
  },
};
/** What `navigator.credentials.get` answers, as its `toJSON` writes it. */
export const assertionSchema = Type.Object(
  {
    ...head,
    response: Type.Object(
      { clientDataJSON: said, authenticatorData: said, signature: said, userHandle: Type.Optional(idText) },
      browserFields,
    ),
  },
  { title: 'Assertion', ...browserFields, examples: [assertionExample] },
);

const descriptors = Type.Array(
  objectOf('PasskeyDescriptor', {
    ...{ type: Type.String(), id: Type.String() },
    transports: Type.Array(Type.String()),
  }),
);
const descriptorExample = { type: 'public-key', id: 'k3VqZw', transports: ['internal'] };
const challengeExample = 'bHNvX…';

export const creationOptionsSchema = answerOf(
  'PasskeyCreationOptions',
  {
    rp: { id: 'lastro.company.com', name: 'Lastro' },
    user: { id: '3Wn0sP1x…', name: 'ana@company.com', displayName: 'ana@company.com' },
    ...{ challenge: challengeExample, timeout: 300_000 },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    excludeCredentials: [descriptorExample],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  },
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String({ description: 'Good once, for five minutes.' }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.String(), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'In milliseconds.' }),
    excludeCredentials: descriptors,
    authenticatorSelection: Type.Object({
      ...{ residentKey: Type.String(), requireResidentKey: Type.Boolean(), userVerification: Type.String() },
    }),
    attestation: Type.String(),
  },
);

export const requestOptionsSchema = answerOf(
  'PasskeyRequestOptions',
  {
    ...{ challenge: challengeExample, timeout: 300_000, rpId: 'lastro.company.com' },
    ...{ allowCredentials: [descriptorExample], userVerification: 'required' },
  },
  {
    challenge: Type.String({ description: 'Good once, for five minutes.' }),
    timeout: Type.Integer({ description: 'In milliseconds.' }),
    rpId: Type.String(),
    allowCredentials: descriptors,
    userVerification: Type.String(),
  },
);

export const passkeyExample = {
  id: 'psk_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  name: 'laptop',
  backed_up: true,
  created_at: '2026-03-02T12:00:00.000Z',
  last_used_at: null,
};
export const passkeySchema = answerOf('Passkey', passkeyExample, {
  id: Type.String(),
  name: Type.String(),
  backed_up: Type.Boolean({
    description: 'Whether copies of it are kept for its owner, such as by a password manager.',
  }),
  created_at: Type.String(),
  last_used_at: nullable(Type.String({ description: 'null if never.' })),
});

export function presentPasskey(row: PasskeyRow) {
  return {
    ...{ id: row.id, name: row.name, backed_up: row.backed_up },
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

/** Returns the name as it is kept. Throws Failure 'schema_mismatch' for one without letters. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === '')
    throw refuse('schema_mismatch', 'a name has letters', {
      problems: [{ at: '/name', message: 'must not be empty' }],
    });
  return name;
}
