/** Leaves the process, which runs many test files one after the other, to the next as this one found it. */
import { afterAll, vi } from 'vitest';

const umask = process.umask();
const env = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // A service that has run here keeps new files for its user alone.
  process.umask(umask);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
});
