/** Progress lines on a terminal or a log: one when a phase starts, then at most one every `everyMs`. */
export type ProgressLine = { phase(name: string, done: number, of: number): void; say(line: string): void };

const everyMs = 2_000;

/** Writes progress through `write`, stamped with the seconds since the start. */
export function openProgress(write: (line: string) => void, now: () => number = Date.now): ProgressLine {
  const started = now();
  let current = '';
  let shown = 0;
  const stamp = () => `[${((now() - started) / 1000).toFixed(0).padStart(4)} s]`;
  return {
    phase(name, done, of) {
      if (name === current && now() - shown < everyMs) return;
      const percent = of > 1 && done > 0 ? ` ${Math.floor((100 * done) / of)} %` : '';
      if (name === current && percent === '') return;
      current = name;
      shown = now();
      write(`${stamp()} ${name}${percent}`);
    },
    say(line) {
      shown = now();
      write(`${stamp()} ${line}`);
    },
  };
}
