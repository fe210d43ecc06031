/** Hands a text, or bytes, to the browser as a file. */
export function saveAs(name: string, content: BlobPart, type = 'text/csv'): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
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
