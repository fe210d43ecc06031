import { useState } from 'react';

/** Something that may be refused, whose refusal stays beside the form until the next attempt. */
export function useAttempt() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const attempt = async (run: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      await run();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, refusal, attempt };
}
