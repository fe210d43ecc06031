import type { Lastro, Schemas } from '@lastro/sdk';

/** How many ingestions are looked through: reports are long, and the newest has seldom failed, still less ten in a row. */
const lookedThrough = [10, 50];

/** The newest ingestion that has come in, whose report says what is in the tables; null where there is none. */
export async function newestIngestion(
  client: Lastro,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Schemas['Ingestion'] | null> {
  for (const limit of lookedThrough) {
    const { data, has_more: hasMore } = await client.ingestions.list({ limit }, options);
    const found = data.find(({ status }) => status === 'succeeded');
    if (found || !hasMore) return found ?? null;
  }
  return null;
}
