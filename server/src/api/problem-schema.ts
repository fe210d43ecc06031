import { type ErrorCode, errorCodes } from '../errors.ts';
import { becauseSchema } from './because.ts';

/** The codes of refusals, as JSON Schema. */
const errorCodeSchema = {
  title: 'ErrorCode',
  type: 'string',
  enum: Object.keys(errorCodes),
  description: 'Why a request was refused. Closed: switch on it.',
};

/** A refusal over HTTP (RFC 9457), as JSON Schema. */
const problemSchema = {
  title: 'Problem',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'],
  properties: {
    type: { type: 'string', description: 'urn:lastro:error: and the code.' },
    title: { type: 'string', description: 'What the status means.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong, where, and what to do. May change: switch on the code.' },
    code: errorCodeSchema,
    because: becauseSchema,
    request_id: { type: 'string', description: 'That of Request-Id; say it when you report a fault.' },
    errors: {
      type: 'array',
      items: {
        title: 'ProblemPlace',
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'A JSON pointer into the body, or /path/… or /query/….' },
          code: errorCodeSchema,
          detail: { type: 'string' },
          because: becauseSchema,
        },
      },
    },
  },
};

/** The content of a refusal with one of `codes`; of any refusal without them. */
export function problemContent(codes?: readonly ErrorCode[]) {
  const schema = codes
    ? { allOf: [problemSchema, { properties: { code: { type: 'string', enum: codes } } }] }
    : problemSchema;
  return { 'application/problem+json': { schema } };
}
