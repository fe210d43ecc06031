/** What `@lastro/sdk/uploading` gives out: for programs that send the bytes of files by their own means. */
export { type Md5, openMd5 } from './files/md5.ts';
export { contentTypeOf } from './files/source.ts';
