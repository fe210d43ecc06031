/**
 * Progress lines for a terminal or log: one when a phase starts, then at most one per `everyMs`. `of` is 0 when the
 * total is unknown; then `done` is shown as a plain number.
 */
export type ProgressLine = { phase(name: string, done: number, of: number): void; say(line: string): void };

const everyMs = 2_000;

/** Writes progress through `write`, with the seconds since the start. */
export function openProgress(write: (line: string) => void, now: () => number = Date.now): ProgressLine {
  const started = now();
  let current = '';
  let shown = 0;
  const stamp = () => `[${((now() - started) / 1000).toFixed(0).padStart(4)} s]`;
  return {
    phase(name, done, of) {
      if (name === current && now() - shown < everyMs) return;
      const far = done === 0 ? '' : of === 0 ? `: ${done}` : of > 1 ? ` ${Math.floor((100 * done) / of)} %` : '';
      if (name === current && far === '') return;
      current = name;
      shown = now();
      write(`${stamp()} ${name}${far}`);
    },
    say(line) {
      shown = now();
      write(`${stamp()} ${line}`);
    },
  };
}
