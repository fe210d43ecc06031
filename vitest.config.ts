import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of how many files in a row one is in a browser, while there are such. */
const every = 6;

/**
 * Spreads the tests in a browser over the first part of a run: they keep processors busy, and beside each other they
 * would starve. Of the others, those of a service take turns with those that need none, the largest file first: what
 * waits goes beside what computes, and the last to begin are the smallest of those that end within milliseconds. A
 * small file may be a long test of a service, which at the end would run alone.
 */
class Spread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isInBrowser = ({ moduleId }: TestSpecification) => moduleId.includes('/dashboard/tests/');
    const isOfService = ({ moduleId }: TestSpecification) => /\/(server|sdk)\/tests\//.test(moduleId);
    const alone = sorted.filter((file) => !isInBrowser(file) && !isOfService(file));
    const others = [...sorted.filter(isOfService).flatMap((file) => [file, ...alone.splice(0, 1)]), ...alone];
    return [...sorted.filter(isInBrowser).flatMap((file) => [file, ...others.splice(0, every - 1)]), ...others];
  }
}

export default defineConfig({
  test: {
    include: ['{server,sdk,dashboard}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
    globalSetup: ['server/tests/memory.ts', 'server/tests/cluster.ts'],
    pool: 'forks',
    // As `run.mjs` starts a script of ours, and as the processes that a service starts have it from there: without it
    // a third of the time of those that compute went into looking through a small heap.
    execArgv: ['--initial-old-space-size=128'],
    // A process runs file after file: starting one and reading the program into it took a sixth of all time. State of
    // a module is therefore shared by files; what a test changes of the process itself is put back.
    isolate: false,
    setupFiles: ['server/tests/tidy-process.ts'],
    sequence: { sequencer: Spread },
    // One more than there should be processors: tests of a service wait a third of their time.
    maxWorkers: 3,
    testTimeout: 900_000,
    // What a page shows comes when the machine has time for it.
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 900_000,
  },
});
