import type { OutboundAnswer } from '../../../lib/http/outbound-exchange.ts';
import type { Attempted } from './attempt.ts';
import type { NewAttempt } from './sql.ts';

/** How much of the answer of a receiver is kept: bytes of its body and of its headers, and how many of these. */
const keptBodyBytes = 4_096;
const keptHeaderBytes = 4_096;
const keptHeaders = 50;

/** What is kept of an attempt. */
export function attemptRow({ claimed, result, startedAt, error, outbound }: Attempted): NewAttempt {
  const { id, attempts, organization_id, workspace_id, webhook_id, trigger, url } = claimed;
  // Of an address that may not be reached, nothing is kept that could tell about it.
  const answer = outbound?.failure?.fault === 'blocked_address' ? null : (outbound?.answer ?? null);
  const timings = outbound?.timings;
  return {
    ...{ delivery_id: id, number: attempts, organization_id, workspace_id, webhook_id, trigger, url },
    ago_ms: performance.now() - startedAt,
    succeeded: result === 'succeeded',
    remote_ip: outbound?.remoteAddress ?? null,
    ...{ dns_ms: rounded(timings?.dnsMs), connect_ms: rounded(timings?.connectMs), tls_ms: rounded(timings?.tlsMs) },
    ...{ first_byte_ms: rounded(timings?.firstByteMs), total_ms: rounded(timings?.totalMs) ?? 0 },
    status_code: answer?.status ?? null,
    ...{ error_class: error?.class ?? null, error: error?.text ?? null },
    response_headers: answer ? JSON.stringify(headersOf(answer)) : null,
    response_body: answer ? storable(answer.body.subarray(0, keptBodyBytes).toString('utf8')) : null,
  };
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value * 10) / 10;
}

function headersOf({ headers }: OutboundAnswer): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of headers) {
    bytes += name.length + value.length;
    if (bytes > keptHeaderBytes || Object.keys(kept).length === keptHeaders) break;
    kept[name] = storable(value);
  }
  return kept;
}

/** PostgreSQL keeps no NUL in a text. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}
