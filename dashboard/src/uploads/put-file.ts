import { ConnectionError, type ErrorCode, LastroError, type Schemas, ServiceError } from '@lastro/sdk';

type Target = Pick<Schemas['UploadFile'], 'upload_url' | 'headers'>;

/**
 * Sends a file to the address that it was declared for. Not by fetch, which does not tell how much has gone out. Throws
 * ConnectionError where the network broke, LastroError for what the service refuses, and what `signal` was ended with.
 */
export function putFile(
  file: Blob,
  { upload_url, headers }: Target,
  tell: (sent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  const sent = new Promise<void>((resolve, reject) => {
    request.open('PUT', onThisOrigin(upload_url));
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => tell(loaded);
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)));
    request.onerror = () => reject(new ConnectionError({ detail: 'the connection broke off while the file was sent' }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    request.send(file);
  });
  return sent.finally(() => signal.removeEventListener('abort', stop));
}

/** Signed addresses name the service as it is known outside; a page may call its own origin only. */
export function onThisOrigin(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

function refusalOf({ status, statusText, responseText }: XMLHttpRequest): LastroError {
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
