import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from '../failure.ts';

const macBytes = 12;

/** Makes an opaque cursor: the position after row `id` of the list that `filters` describe. */
export function makeCursor(secret: Buffer, filters: string, id: string): string {
  return Buffer.concat([macOf(secret, filters, id), Buffer.from(id)]).toString('base64url');
}

/**
 * The id after which a cursor stands. Throws Failure 'malformed' for a cursor that was altered or is of another list.
 */
export function readCursor(secret: Buffer, filters: string, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const id = bytes.subarray(macBytes).toString();
  const mac = bytes.subarray(0, macBytes);
  if (mac.length === macBytes && timingSafeEqual(mac, macOf(secret, filters, id))) return id;
  throw new Failure('malformed', 'the cursor is not one this list gave out; begin again without it', {
    reason: 'invalid_cursor',
  });
}

function macOf(secret: Buffer, filters: string, id: string): Buffer {
  return createHmac('sha256', secret).update(`${filters}\n${id}`).digest().subarray(0, macBytes);
}
