/**
 * Progress lines on a terminal or a log: one when a phase starts, then at most one every `everyMs`. `of` is 0 when
 * nobody knows how much there is to do; what is done is then shown as it is.
 */
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
