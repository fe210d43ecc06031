/** The version of the form of what is sent; it changes when receivers would have to. */
export const payloadVersion = '2026-11-01';
/** Most bytes of what is sent. */
export const payloadBytesMax = 64 * 1024;

type Told = {
  readonly id: string;
  readonly type: string;
  readonly workspace_id: string;
  readonly resource_id: string;
  readonly sequence: number;
  readonly payload: unknown;
  readonly created_at: Date;
};

/**
 * What is sent of an event, as the very text that is signed. Events are small; of one that would be too large, the id
 * of what it is about is left.
 */
export function payloadOf(event: Told): string {
  const whole = textOf(event, event.payload);
  return Buffer.byteLength(whole) <= payloadBytesMax
    ? whole
    : textOf(event, { id: event.resource_id, is_shortened: true });
}

function textOf({ id, type, created_at, workspace_id, sequence }: Told, data: unknown): string {
  const timestamp = created_at.toISOString();
  return JSON.stringify({ id, type, timestamp, workspace_id, api_version: payloadVersion, sequence, data });
}
