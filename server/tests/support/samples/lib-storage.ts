// A stand-in for the outside world, for tests only: an S3 server in memory, path-style, with the refusals that matter.
// It checks every signature (AWS Signature Version 4, written here from its specification), body hashes, Content-MD5,
// and the rules of multipart uploads.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type S3Server = {
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly bucket: string;
  readonly objects: Map<string, S3Object>;
  readonly uploads: Map<string, S3Upload>;
  /** `METHOD path?query` of every request, in order. */
  readonly requests: string[];
  /** Looks at each request before it is answered; what it says happens instead. */
  disturb: (request: string) => Disturbance | null;
  readonly stop: () => Promise<void>;
};

/** An error answered, the connection cut instead of the answer, or half-way through it. */
export type Disturbance = { readonly status: number; readonly code: string } | 'cut' | 'cut body';
type S3Object = { bytes: Buffer; readonly headers: Readonly<Record<string, string>> };
type S3Upload = {
  readonly key: string;
  readonly begun: Date;
  readonly headers: Record<string, string>;
  readonly parts: Map<number, Buffer>;
};
type Answer = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: Buffer | string };
type Request = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly key: string;
};

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const pageSize = 3;
const partBytesMin = 5 * 2 ** 20;
const clockSkewMs = 15 * 60 * 1000;

export async function startS3Server(): Promise<S3Server> {
  const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: randomBytes(20).toString('hex') };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const state: S3Server = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    bucket: 'test-bucket',
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    disturb: () => null,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => null);
    // The caller hung up.
    if (body === null) return;
    const [path, query = ''] = incoming.url!.split('?');
    const line = `${incoming.method} ${incoming.url}`;
    state.requests.push(line);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const request = { method: incoming.method!, path, query: new URLSearchParams(query), headers, body, key: '' };
    const disturbance = state.disturb(line);
    let answer: Answer;
    try {
      if (typeof disturbance === 'object' && disturbance !== null)
        throw new Refusal(disturbance.status, disturbance.code);
      checkSignature(request, credentials);
      answer = answerTo(state, { ...request, key: keyIn(state.bucket, path) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = { status: error.status, body: `<Error><Code>${error.code}</Code></Error>` };
    }
    if (disturbance === 'cut') {
      response.destroy();
      return;
    }
    const bytes = Buffer.from(answer.body ?? '');
    response.writeHead(answer.status, { 'content-length': bytes.length, ...answer.headers });
    if (disturbance !== 'cut body') response.end(incoming.method === 'HEAD' ? undefined : bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  return state;
}

function keyIn(bucket: string, path: string): string {
  const [, name, ...rest] = path.split('/');
  if (name !== bucket) throw new Refusal(404, 'NoSuchBucket');
  return rest.map(decodeURIComponent).join('/');
}

function answerTo(server: S3Server, request: Request): Answer {
  const { method, query, key, headers, body } = request;
  if (method === 'GET' && query.get('list-type') === '2') return list(server, query);
  if (method === 'GET' && query.has('uploads')) return listUploads(server, query);
  const uploadId = query.get('uploadId');
  if (method === 'POST' && query.has('uploads')) {
    const id = randomBytes(8).toString('hex');
    server.uploads.set(id, { key, begun: new Date(), headers: keptHeaders(headers), parts: new Map() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (uploadId !== null) return answerUpload(server, request, uploadId);
  if (method === 'PUT') {
    checkMd5(request);
    server.objects.set(key, { bytes: body, headers: keptHeaders(headers) });
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  if (method === 'DELETE') {
    server.objects.delete(key);
    return { status: 204 };
  }
  const object = server.objects.get(key);
  if (object === undefined) throw new Refusal(404, 'NoSuchKey');
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  if (range === null)
    return { status: 200, headers: { ...object.headers, ...sized(object.bytes) }, body: object.bytes };
  const [start, end] = [Number(range[1]), range[2] === '' ? object.bytes.length - 1 : Number(range[2])];
  if (start >= object.bytes.length) throw new Refusal(416, 'InvalidRange');
  const bytes = object.bytes.subarray(start, end + 1);
  const contentRange = `bytes ${start}-${start + bytes.length - 1}/${object.bytes.length}`;
  return { status: 206, headers: { ...object.headers, 'content-range': contentRange }, body: bytes };
}

function answerUpload(server: S3Server, request: Request, uploadId: string): Answer {
  const { method, query, key, body } = request;
  const upload = server.uploads.get(uploadId);
  if (upload === undefined || upload.key !== key) throw new Refusal(404, 'NoSuchUpload');
  if (method === 'DELETE') {
    server.uploads.delete(uploadId);
    return { status: 204 };
  }
  if (method === 'PUT') {
    checkMd5(request);
    const number = Number(query.get('partNumber'));
    if (!(number >= 1 && number <= 10_000)) throw new Refusal(400, 'InvalidArgument');
    upload.parts.set(number, body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  const listed = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: /<ETag>(.*?)</.exec(part)?.[1].replaceAll('&quot;', '"'),
  }));
  const bytes = listed.map(({ number, etag }, at) => {
    const part = upload.parts.get(number);
    if (part === undefined || etagOf(part) !== etag) throw new Refusal(400, 'InvalidPart');
    if (at > 0 && number <= listed[at - 1].number) throw new Refusal(400, 'InvalidPartOrder');
    if (at < listed.length - 1 && part.length < partBytesMin) throw new Refusal(400, 'EntityTooSmall');
    return part;
  });
  if (bytes.length === 0) throw new Refusal(400, 'MalformedXML');
  server.objects.set(key, { bytes: Buffer.concat(bytes), headers: upload.headers });
  server.uploads.delete(uploadId);
  return xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
}

/** Pages are short, so that tests see several. */
function list(server: S3Server, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const found = [...server.objects].filter(([key]) => key.startsWith(prefix) && key > after);
  const page = found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, pageSize);
  const modified = new Date().toISOString();
  const contents = page.map(
    ([key, { bytes }]) =>
      `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${modified}</LastModified></Contents>`,
  );
  const more = found.length > page.length;
  const token = more ? `<NextContinuationToken>${page.at(-1)![0]}</NextContinuationToken>` : '';
  return xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`);
}

function listUploads(server: S3Server, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? '';
  const after = `${query.get('key-marker') ?? ''} ${query.get('upload-id-marker') ?? ''}`;
  const found = [...server.uploads].filter(([id, { key }]) => key.startsWith(prefix) && `${key} ${id}` > after);
  const page = found.sort(([, a], [, b]) => (a.key < b.key ? -1 : 1)).slice(0, pageSize);
  const uploads = page.map(
    ([id, { key, begun }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
  );
  const more = found.length > page.length;
  const [id, last] = page.at(-1) ?? [];
  const next = more ? `<NextKeyMarker>${last!.key}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker>` : '';
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>${more}</IsTruncated>${next}${uploads.join('')}</ListMultipartUploadsResult>`,
  );
}

/** Stricter than S3, which lets bytes without `Content-MD5` pass. */
function checkMd5({ headers, body }: Request): void {
  if (headers['content-md5'] !== createHash('md5').update(body).digest('base64')) throw new Refusal(400, 'BadDigest');
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function checkSignature(request: Omit<Request, 'key'>, credentials: S3Server['credentials']): void {
  const { headers, method, path, query, body } = request;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (parts === null) throw new Refusal(403, 'AccessDenied');
  const [, accessKeyId, day, region, signedHeaders, signature] = parts;
  if (accessKeyId !== credentials.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  const date = headers['x-amz-date'] ?? '';
  const moment = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - moment) < clockSkewMs) || !date.startsWith(day))
    throw new Refusal(403, 'RequestTimeTooSkewed');
  const names = signedHeaders.split(';');
  const unsigned = Object.keys(headers).filter((name) => /^(host|content-md5|x-amz-.*)$/.test(name));
  if (unsigned.some((name) => !names.includes(name))) throw new Refusal(403, 'AccessDenied');
  const bodyHash = headers['x-amz-content-sha256'];
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  const canonicalQuery = [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonicalHeaders = names.map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, ' ')}\n`).join('');
  const canonical = [method, path, canonicalQuery, canonicalHeaders, signedHeaders, bodyHash].join('\n');
  const text = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`;
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  const expected = createHmac('sha256', key).update(text).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new Refusal(403, 'SignatureDoesNotMatch');
}

function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-') || name === 'content-type');
  return { 'content-type': 'binary/octet-stream', ...Object.fromEntries(kept) };
}

function sized(bytes: Buffer): Record<string, string> {
  return { 'content-length': String(bytes.length) };
}

function xml(body: string): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
