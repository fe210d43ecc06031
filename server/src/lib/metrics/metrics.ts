import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number): void;
  /** Counts a compute task that was ended because it exceeded a limit of its budget. */
  countEnded(task: string, limit: string): void;
  /** Counts an opening of a stored object that is damaged. */
  countDamage(): void;
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
  const ended = new Counter({
    name: 'lastro_tasks_over_budget_total',
    help: 'Compute tasks that were ended because they exceeded their budget, by task and limit.',
    labelNames: ['task', 'limit'],
    registers: [registry],
  });
  const damage = new Counter({
    name: 'lastro_damaged_objects_total',
    help: 'How often a stored object was opened that is not what was stored.',
    registers: [registry],
  });
  return {
    countEnded: (task, limit) => ended.inc({ task, limit }),
    countDamage: () => damage.inc(),
    observe: (route, method, status, seconds) => answers.observe({ route, method, status }, seconds),
    text: () => registry.metrics(),
  };
}
