// Traces by OpenTelemetry: spans of what happens at our few doors, sent by OTLP over HTTP as JSON. The packages are
// loaded where traces are switched on, and nothing is registered globally.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, SpanKind, Span as SpanOfOtel, Tracer } from '@opentelemetry/api';

export type Tracing = {
  /** Begins a span beneath `parent` (a W3C traceparent, if it is one), or beneath the current one. */
  start(name: string, kind: Kind, options?: { attributes?: Attributes; parent?: string | undefined }): Span;
  /** Does `work` in a span beneath the current one; where there is none, without a span. */
  beneath<T>(name: string, kind: Kind, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** What names the current span to others, as W3C Trace Context has it; undefined where there is none. */
  traceparent(): string | undefined;
  /** Sends what has not been sent yet, unless that takes long. */
  close(): Promise<void>;
};

export type Kind = 'server' | 'client' | 'consumer' | 'internal';
export type Attributes = Readonly<Record<string, string | number>>;

export type Span = {
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
  /** Calls `work`, which has this span as the current one as long as what it begins takes. */
  within<T>(work: () => T): T;
  /** Ends it, as failed when there is an error. */
  end(error?: unknown): void;
};

export type TracingOptions = {
  /** Of the collector; traces go to `/v1/traces` beneath it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly attributes: Attributes;
  /** The share of the traces begun here that are sent, 0 to 1. Others go by what who began them says. */
  readonly share: number;
  readonly onError: (error: unknown) => void;
};

const noSpan: Span = { traceparent: undefined, set: () => {}, within: (work) => work(), end: () => {} };

/** Traces nothing, and costs nothing. */
export const noTracing: Tracing = {
  start: () => noSpan,
  beneath: (_name, _kind, _attributes, work) => work(noSpan),
  traceparent: () => undefined,
  close: async () => {},
};

const timeoutMillis = 5_000;
/** Spans that wait to be sent; more than these are dropped. */
const maxQueueSize = 4_096;
const scheduledDelayMillis = 1_000;

export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const [otel, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  // The one thing of the library that is global: how it says that spans could not be sent.
  const quiet = { warn: () => {}, info: () => {}, debug: () => {}, verbose: () => {} };
  otel.diag.setLogger(
    { ...quiet, error: (...said: unknown[]) => options.onError(said.map(String).join(' ')) },
    { logLevel: otel.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: options.headers,
    timeoutMillis,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName, ...options.attributes }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(options.share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis })],
  });
  const { ROOT_CONTEXT, SpanStatusCode, trace } = otel;
  const kinds: Record<Kind, SpanKind> = {
    server: otel.SpanKind.SERVER,
    client: otel.SpanKind.CLIENT,
    consumer: otel.SpanKind.CONSUMER,
    internal: otel.SpanKind.INTERNAL,
  };
  const tracer: Tracer = provider.getTracer('lastro');
  const current = new AsyncLocalStorage<SpanOfOtel>();
  const contextOf = (parent: string | undefined): Context => {
    const named = parent === undefined ? null : readTraceparent(parent);
    if (named) return trace.setSpanContext(ROOT_CONTEXT, { ...named, isRemote: true });
    const span = current.getStore();
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
  };
  const start: Tracing['start'] = (name, kind, { attributes = {}, parent } = {}) => {
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
    return {
      traceparent: writeTraceparent(span),
      set: (more) => void span.setAttributes(more),
      within: (work) => current.run(span, work),
      end(error) {
        if (error !== undefined) {
          // Messages may name a customer's data; the name of the error says enough here, and the log says the rest.
          const message = error instanceof Error ? error.name : String(error);
          span.setStatus({ code: SpanStatusCode.ERROR, message });
        }
        span.end();
      },
    };
  };
  return {
    start,
    async beneath(name, kind, attributes, work) {
      if (!current.getStore()) return work(noSpan);
      const span = start(name, kind, { attributes });
      try {
        const result = await span.within(() => work(span));
        span.end();
        return result;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
    traceparent() {
      const span = current.getStore();
      return span && writeTraceparent(span);
    },
    close: () => provider.shutdown().catch(options.onError),
  };
}

type NamedSpan = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };

/** Reads a traceparent (W3C Trace Context); null for what is none. */
function readTraceparent(text: string): NamedSpan | null {
  const [, version, traceId, spanId, flags, more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

function writeTraceparent(span: SpanOfOtel): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
