const minute = 60_000;

/** Milliseconds as `350 ms`, `4.2 s`, `3 min`, `2 h 5 min`; `write` writes numbers of at most one digit after the point. */
export function sayDuration(milliseconds: number, write: (number: number) => string): string {
  // Each unit is rounded before it is asked whether it is one of the next.
  const whole = Math.round(milliseconds);
  if (whole < 1000) return `${write(whole)} ms`;
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) return `${write(tenths / 10)} s`;
  const minutes = Math.round(milliseconds / minute);
  if (minutes < 60) return `${write(minutes)} min`;
  return `${write(Math.floor(minutes / 60))} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`;
}
