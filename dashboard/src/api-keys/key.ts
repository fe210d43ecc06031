import type { Schemas } from '@lastro/sdk';
import type { Permission } from '../api/session.tsx';

export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];

/** `changing`: two secrets are good, the one before for some more hours. */
export function stateOf(
  { expires_at: end, previous_until: until }: ApiKey,
  now: number,
): 'good' | 'ended' | 'changing' {
  if (end !== null && Date.parse(end) <= now) return 'ended';
  return until !== null && Date.parse(until) > now ? 'changing' : 'good';
}

/** Requests that show that a key works, by what it must be allowed; the first that the key may send. */
const firstRequests: readonly (readonly [Permission, string])[] = [
  ['view_models', '/v1/api/models'],
  ['view_batches', '/v1/api/batches'],
  ['invoke_predictions', '/v1/api/predictions'],
  ['view_files', '/v1/api/files'],
  ['view_usage', '/v1/api/usage'],
  ['view_members', '/v1/api/members'],
  ['view_activity_logs', '/v1/api/audit-entries'],
];

/** A request that the key may send, ready to be run in a shell. `scopes`: null for all that the role allows. */
export function firstCurl(secret: string, scopes: readonly string[] | null): string {
  const path = firstRequests.find(([permission]) => scopes === null || scopes.includes(permission))?.[1];
  return `curl -s '${location.origin}${path ?? '/v1/api/event-types'}' \\\n  -H "Authorization: Bearer ${secret}"`;
}

/** A request that asks what production names of a model, ready to be run in a shell. */
export function predictionCurl(secret: string, model: string, inputs: Readonly<Record<string, unknown>>): string {
  const body = JSON.stringify(inputs).replaceAll("'", "'\\''");
  return [
    `curl -s '${location.origin}/v1/api/prediction/${encodeURIComponent(model)}/production'`,
    `-H "Authorization: Bearer ${secret}"`,
    `-H "Content-Type: application/json" -d '${body}'`,
  ].join(' \\\n  ');
}
