import { openMd5 } from '@lastro/sdk/uploading';

/** How much of a file is in memory at once. */
const sliceBytes = 4 << 20;

export type Hashed = { readonly loaded: number } | { readonly md5: string } | { readonly unreadable: string };

/** Hashes a file slice by slice, and tells of each: a file of any size takes the memory of one. */
self.onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  const md5 = openMd5();
  try {
    for (let from = 0; from < file.size; from += sliceBytes) {
      const slice = file.slice(from, from + sliceBytes);
      md5.update(new Uint8Array(await slice.arrayBuffer()));
      tell({ loaded: from + slice.size });
    }
    tell({ md5: md5.digest() });
  } catch (error) {
    tell({ unreadable: String(error) });
  }
};

function tell(hashed: Hashed): void {
  self.postMessage(hashed);
}
