/**
 * Resolves with the reason to stop: a signal, or the end of the parent process. Later signals are ignored, because
 * Ctrl-C reaches this process twice: from the terminal and from the parent.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    if (!process.send) return;
    process.once('disconnect', () => resolve('the starting process has ended'));
    // Listening keeps the channel open. Unref lets the process end when nothing else is left to do.
    process.channel?.unref();
  });
}
