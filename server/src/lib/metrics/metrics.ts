import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number): void;
  /** Counts a job that has left this process, and the time that it took there. */
  observeJob(queue: string, outcome: string, seconds: number): void;
  /** Counts work that was ended as failed, since it failed too often or cannot succeed. */
  countGivenUp(queue: string): void;
  /** Counts a compute task that was ended because it exceeded a limit of its budget. */
  countEnded(task: string, limit: string): void;
  /** Counts an opening of a stored object that is damaged. */
  countDamage(): void;
  /** Counts a call of the storage that the storage failed. */
  countStorageError(operation: string): void;
  /** Counts an attempt to sign in to SFTP; a client that offers several keys makes one with each. */
  countSftpSignIn(outcome: string): void;
  /** Has a state read whenever the metrics are asked for. While it cannot be read, they do not have it. */
  watch(state: WatchedState): void;
  /** The metrics in the text format of Prometheus. */
  text(): Promise<string>;
};

/** What is measured when it is asked for: one value, or one for each value of a label. */
export type WatchedState = {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  read(): Promise<Measured> | Measured;
};

export type Measured = number | Readonly<Record<string, number>>;

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const jobBucketsSeconds = [0.1, 1, 10, 60, 600, 3_600, 21_600];

/** Opens metrics of the answers by route, of jobs and storage, and of the process itself. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'lastro_http_answer_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: bucketsSeconds,
    registers,
  });
  const jobs = new Histogram({
    name: 'lastro_job_seconds',
    help: 'Time that jobs took in this process, by queue, and by outcome: done, failed, given back or lost.',
    labelNames: ['queue', 'outcome'],
    buckets: jobBucketsSeconds,
    registers,
  });
  const count = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const givenUp = count('lastro_jobs_given_up_total', 'Jobs whose work was ended as failed, by queue.', ['queue']);
  const ended = count(
    'lastro_tasks_over_budget_total',
    'Compute tasks that were ended because they exceeded their budget, by task and limit.',
    ['task', 'limit'],
  );
  const damage = count(
    'lastro_damaged_objects_total',
    'How often a stored object was opened that is not what was stored.',
  );
  const storageErrors = count(
    'lastro_storage_errors_total',
    'Calls that the storage failed, by operation; an object that is absent is no failure.',
    ['operation'],
  );
  const sftpSignIns = count(
    'lastro_sftp_sign_ins_total',
    'Attempts to sign in to SFTP, by outcome: let in or refused.',
    ['outcome'],
  );
  return {
    observe: (route, method, status, seconds) => answers.observe({ route, method, status }, seconds),
    observeJob: (queue, outcome, seconds) => jobs.observe({ queue, outcome }, seconds),
    countGivenUp: (queue) => givenUp.inc({ queue }),
    countEnded: (task, limit) => ended.inc({ task, limit }),
    countDamage: () => damage.inc(),
    countStorageError: (operation) => storageErrors.inc({ operation }),
    countSftpSignIn: (outcome) => sftpSignIns.inc({ outcome }),
    watch({ name, help, label, read }) {
      new Gauge({
        name,
        help,
        registers,
        labelNames: label === undefined ? [] : [label],
        async collect() {
          this.reset();
          try {
            const measured = await read();
            if (typeof measured === 'number') this.set(measured);
            else for (const [value, amount] of Object.entries(measured)) this.set({ [label!]: value }, amount);
          } catch {
            // What reads it fails by itself too, and says so in the log.
            if (label === undefined) this.remove();
          }
        },
      });
    },
    text: () => registry.metrics(),
  };
}
