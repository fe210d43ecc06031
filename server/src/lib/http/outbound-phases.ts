import { failed, type OutboundFault } from './outbound-failures.ts';

/** Milliseconds that each part of a request took, up to its failure; null for a part that it did not come to. */
export type OutboundTimings = {
  /** Looking the name up; about 0 for an address. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the sending to the first byte of the answer. */
  readonly firstByteMs: number | null;
  /** Without waiting to be sent. */
  readonly totalMs: number;
};

export type PhaseLimits = {
  /** Longest to look a name up. */
  readonly dnsMs: number;
  /** Longest to connect, TLS included. */
  readonly connectMs: number;
  /** Longest from the sending to the end of the head of the answer. */
  readonly headMs: number;
  /** Longest from looking the name up to the last byte of the answer. */
  readonly timeMs: number;
};

/** `wait`: for the moment at which it may be sent. */
type Phase = 'dns' | 'connect' | 'tls' | 'wait' | 'firstByte' | 'rest';

/** Times the parts of a request and aborts it when one takes too long. */
export type Phases = {
  /** Aborts with the OutboundFailure of what passed a limit, or with the reason of the caller's signal. */
  readonly signal: AbortSignal;
  /** Begins a part. A limit, or null for none, takes the place of the one before; `timeMs` counts all along. */
  enter(phase: Phase, limit?: 'dnsMs' | 'connectMs' | 'headMs' | null): void;
  /** Aborts the request with another reason. */
  abort(reason: unknown): void;
  timings(): OutboundTimings;
  /** Stops all clocks. */
  end(): void;
};

export function startPhases(url: URL, limits: PhaseLimits, given: AbortSignal | null | undefined): Phases {
  const stop = new AbortController();
  const abortAfter = (ms: number, fault: OutboundFault, what: string) =>
    setTimeout(() => stop.abort(failed(url, fault, what)), ms);
  const abortLate = (ms: number) => abortAfter(ms, 'timeout', `did not answer within ${ms / 1_000} seconds`);
  const follow = (): void => stop.abort(given?.reason);
  given?.addEventListener('abort', follow);
  const whole = abortLate(limits.timeMs);
  let part: NodeJS.Timeout | undefined;
  const began = performance.now();
  const starts: { readonly phase: Phase; readonly at: number }[] = [];
  return {
    signal: stop.signal,
    enter(phase, limit) {
      starts.push({ phase, at: performance.now() });
      if (limit === undefined) return;
      clearTimeout(part);
      if (limit === 'dnsMs') part = abortAfter(limits.dnsMs, 'dns_error', 'cannot be looked up at the moment');
      else if (limit !== null) part = abortLate(limits[limit]);
    },
    abort: (reason) => stop.abort(reason),
    timings() {
      const now = performance.now();
      const of = (phase: Phase): number | null => {
        const at = starts.findIndex((start) => start.phase === phase);
        return at < 0 ? null : (starts[at + 1]?.at ?? now) - starts[at]!.at;
      };
      return {
        ...{ dnsMs: of('dns'), connectMs: of('connect'), tlsMs: of('tls'), firstByteMs: of('firstByte') },
        totalMs: now - began - (of('wait') ?? 0),
      };
    },
    end() {
      clearTimeout(whole);
      clearTimeout(part);
      given?.removeEventListener('abort', follow);
    },
  };
}
