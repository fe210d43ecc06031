/**
 * Hands a text, or bytes, to the browser as a file. A text of CSV begins with a byte order mark: without it Excel takes
 * UTF-8 for Latin-1.
 */
export function saveAs(name: string, content: BlobPart, type = 'text/csv'): void {
  const parts = typeof content === 'string' && name.endsWith('.csv') ? ['\ufeff', content] : [content];
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob(parts, { type }));
  followDownload(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser download what is at an address of this origin. */
export function followDownload(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
