/**
 * Resolves with what asks the process to stop: a signal, or the end of the process that started it. What comes after
 * changes nothing: Ctrl-C reaches this process twice, from the terminal and from the one that started it.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    if (!process.send) return;
    process.once('disconnect', () => resolve('the starting process has ended'));
    // Listening keeps the channel, and the channel a process that has nothing left to do.
    process.channel?.unref();
  });
}
