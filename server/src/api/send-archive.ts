import { Readable } from 'node:stream';
import type { Admission } from '../access/admit.ts';
import type { Answer } from '../lib/http/server.ts';
import { writeZip, type ZipEntry, zipBytes } from '../lib/zip/zip.ts';
import { whileAllowed } from './while-allowed.ts';

/** Answers with files as one archive, `<name>.zip`, which is written while it is sent and the caller has the right. */
export function sendArchive(
  name: string,
  entries: readonly ZipEntry[],
  ensure: Admission['ensure'],
): Answer & { readonly body: Readable } {
  return {
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-length': String(zipBytes(entries)),
      'content-disposition': `attachment; filename="${name}.zip"`,
      'cache-control': 'private, no-transform',
    },
    body: whileAllowed(Readable.from(writeZip(entries), { objectMode: false }), ensure),
  };
}
