/**
 * Awaits work and returns a function that returns its result, or throws its error: for what is done before a
 * transaction begins and counts only within it.
 */
export async function outcomeOf<T>(work: Promise<T>): Promise<() => T> {
  try {
    const result = await work;
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
