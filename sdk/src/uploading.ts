/** What `@lastro/sdk/uploading` gives out: for programs that send the bytes of files by their own means. */
export { type Md5, openMd5 } from './files/md5.ts';
export { partBytesMax, partHeaders } from './files/send-in-parts.ts';
export { contentTypeOf } from './files/source.ts';
