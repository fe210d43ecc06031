import { openMd5 } from '@lastro/sdk/uploading';

/** How much of a file is in memory at once. */
const sliceBytes = 4 << 20;

export type Hashed = { readonly loaded: number } | { readonly md5: string } | { readonly unreadable: string };

/** Hashes a file slice by slice, and tells of each: a file of any size takes the memory of one. */
self.onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  const md5 = openMd5();
  let [loaded, told] = [0, 0];
  try {
    for await (const slice of slicesOf(file)) {
      md5.update(slice);
      loaded += slice.length;
      if (loaded - told < sliceBytes && loaded < file.size) continue;
      told = loaded;
      tell({ loaded });
    }
    tell({ md5: md5.digest() });
  } catch (error) {
    tell({ unreadable: String(error) });
  }
};

/** The bytes of a file, in one buffer that is filled again and again: buffers are left behind faster than collected. */
async function* slicesOf(file: Blob): AsyncGenerator<Uint8Array> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = file.stream().getReader({ mode: 'byob' });
  } catch {
    // Not every browser reads files into a given buffer.
    for (let from = 0; from < file.size; from += sliceBytes)
      yield new Uint8Array(await file.slice(from, from + sliceBytes).arrayBuffer());
    return;
  }
  let buffer = new ArrayBuffer(sliceBytes);
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done) return;
    yield value;
    buffer = value.buffer;
  }
}

function tell(hashed: Hashed): void {
  self.postMessage(hashed);
}
