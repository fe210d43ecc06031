import { type Service, startService } from '../app.ts';
import { readConfig } from '../config.ts';

/**
 * Runs a command of the operator beside a running service, or without one, and writes what it returns as JSON. Returns
 * the exit code.
 */
export async function besideService(
  out: { write(text: string): unknown },
  run: (service: Service) => Promise<unknown>,
): Promise<number> {
  const service = await startService({ ...readConfig(), demo: false }, 'none');
  try {
    out.write(`${JSON.stringify(await run(service), null, 2)}\n`);
    return 0;
  } finally {
    await service.close();
  }
}
