import { saveAs } from '../kit/save-file.ts';

/** Hands the body of an answer to the browser as a file, under the name that the service gives it. */
export async function saveResponse(response: Response, name: string): Promise<void> {
  const given = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveAs(given ?? name, await response.blob());
}
