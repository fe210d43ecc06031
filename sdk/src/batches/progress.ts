/** How far a batch is that runs in one call. */
export type BatchProgress = {
  /** What is being done: files are read, sent, wait their turn, are scored; at last `done`. */
  readonly phase: 'hashing' | 'uploading' | 'queued' | 'running' | 'done';
  /** Bytes while hashing and uploading, rows afterwards. */
  readonly loaded: number;
  /** Null while it is not known how many rows there are. */
  readonly total: number | null;
  /** When it will have finished, as far as can be told. */
  readonly eta: Date | null;
};

/** What was told last of each phase, for any number of readers. */
export type ProgressLog = {
  tell(progress: BatchProgress): void;
  /** Nothing more comes; `failure` is thrown by all who read. */
  end(failure?: { readonly error: unknown }): void;
  read(): AsyncGenerator<BatchProgress>;
};

export function openProgressLog(): ProgressLog {
  const told = new Map<string, { readonly number: number; readonly progress: BatchProgress }>();
  let number = 0;
  let over: { readonly failure: { readonly error: unknown } | undefined } | null = null;
  let wake = () => {};
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const change = () => {
    const wakeAll = wake;
    changed = new Promise((resolve) => {
      wake = resolve;
    });
    wakeAll();
  };
  return {
    tell(progress) {
      // Who reads slowly misses steps within a phase, and never a phase.
      told.set(progress.phase, { number: ++number, progress });
      change();
    },
    end(failure) {
      over = { failure };
      change();
    },
    async *read() {
      for (let seen = 0; ; ) {
        const next = changed;
        const fresh = [...told.values()].filter((one) => one.number > seen);
        for (const one of fresh) {
          seen = Math.max(seen, one.number);
          yield one.progress;
        }
        if (fresh.length > 0) continue;
        if (over?.failure) throw over.failure.error;
        if (over) return;
        await next;
      }
    },
  };
}
