import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number): void;
  /** The metrics in the text format of Prometheus. */
  text(): Promise<string>;
};

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Opens metrics of the answers by route, and of the process itself. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'lastro_http_answer_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: bucketsSeconds,
    registers: [registry],
  });
  return {
    observe: (route, method, status, seconds) => answers.observe({ route, method, status }, seconds),
    text: () => registry.metrics(),
  };
}
