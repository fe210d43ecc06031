import { ConnectionError, type ErrorCode, LastroError, type Schemas, ServiceError } from '@lastro/sdk';
import { partBytesMax, partHeaders } from '@lastro/sdk/uploading';

/**
 * Sends a file to the address that it was declared for, in parts, from where it broke off before. Throws
 * ConnectionError where the network broke, LastroError for what the service refuses, and what `signal` was ended with.
 */
export async function putFile(
  file: Blob,
  address: string,
  tell: (sent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let at = await arrived(address, signal);
  do {
    const part = file.slice(at, at + partBytesMax);
    const offset = at;
    tell(offset);
    await putPart(part, address, offset, (sent) => tell(offset + sent), signal);
    at += part.size;
  } while (at < file.size);
}

/** How many bytes of a declared file are at the service. */
async function arrived(address: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(onThisOrigin(address), { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new ConnectionError({ detail: 'the connection broke off before the file was sent', cause });
  });
  const { status, statusText } = response;
  const responseText = await response.text();
  if (!response.ok) throw refusalOf({ status, statusText, responseText });
  return (JSON.parse(responseText) as Schemas['UploadProgress']).offset;
}

/** Not by fetch, which does not tell how much has gone out. */
function putPart(
  part: Blob,
  address: string,
  offset: number,
  tell: (sent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  const sent = new Promise<void>((resolve, reject) => {
    request.open('PATCH', onThisOrigin(address));
    for (const [name, value] of Object.entries(partHeaders(offset))) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => tell(loaded);
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)));
    request.onerror = () => reject(new ConnectionError({ detail: 'the connection broke off while the file was sent' }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    request.send(part);
  });
  return sent.finally(() => signal.removeEventListener('abort', stop));
}

/** The bytes at a signed address of the service. */
export async function bytesOf(address: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(onThisOrigin(address));
  if (!response.ok)
    throw refusalOf({ status: response.status, statusText: response.statusText, responseText: await response.text() });
  return response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Signed addresses name the service as it is known outside; a page may call its own origin only. */
export function onThisOrigin(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

type Refused = Pick<XMLHttpRequest, 'status' | 'statusText' | 'responseText'>;

function refusalOf({ status, statusText, responseText }: Refused): LastroError {
  const problem = problemOf(responseText);
  const described = {
    status,
    code: (problem?.code as ErrorCode | undefined) ?? null,
    detail: problem?.detail ?? statusText,
    errors: problem?.errors ?? [],
    requestId: problem?.request_id ?? null,
  };
  return status >= 500 ? new ServiceError(described) : new LastroError(described);
}

/** Null where a proxy answered. */
function problemOf(text: string): Partial<Schemas['Problem']> | null {
  try {
    return JSON.parse(text) as Partial<Schemas['Problem']> | null;
  } catch {
    return null;
  }
}
