import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { AttachmentType } from '../../kernel/domain/attachment-type.js';
import { KIB, MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Config } from '../../platform/config/config.js';
import { dispositionOf, FileMissing, FileStore, type ServedFile } from './file-store.js';

/** For an XML result or error. */
const MOST_ANSWER_BYTES = 64 * KIB;

interface Answer {
  readonly response: { readonly statusCode: number; body?: unknown };
}

/**
 * Limits each S3 exchange to `ms`, and answers other than files to `MOST_ANSWER_BYTES`. The client itself buffers
 * without limit, and `Upload` passes on no signal.
 */
function boundAnswers(client: S3Client, ms: number): void {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request: { readonly method: string }, options) => {
    const over = AbortSignal.timeout(ms);
    const asked = options !== undefined && 'abortSignal' in options ? options.abortSignal : undefined;
    const abortSignal = asked instanceof AbortSignal ? AbortSignal.any([asked, over]) : over;
    const answer: Answer = await handle(request, { ...options, abortSignal });
    const { response } = answer;
    const isFile = request.method === 'GET' && response.statusCode < 300;
    if (!isFile && response.body instanceof Readable) response.body = Readable.from(bounded(response.body));
    return answer;
  };
}

async function* bounded(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error('S3 sends more than an answer has');
    yield piece;
  }
}

/** A part of an upload has five megabytes. */
const CONNECT_MS = 3_000;
const CALL_MS = 10_000;
/** S3's minimum; an upload holds at most two parts. */
const PART_BYTES = 5 * MIB;

export type S3Settings = Pick<
  Config,
  'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>;

export class S3Store extends FileStore {
  private readonly client: S3Client;
  /** For the public endpoint, since the signature includes the host. */
  private readonly signer: S3Client;
  private readonly bucket: string;

  constructor(
    settings: S3Settings,
    private readonly callMs = CALL_MS,
  ) {
    super();
    this.bucket = settings.S3_BUCKET ?? '';
    this.client = new S3Client(clientConfig(settings, settings.S3_ENDPOINT, callMs));
    boundAnswers(this.client, callMs);
    this.signer = new S3Client(clientConfig(settings, settings.S3_PUBLIC_ENDPOINT ?? settings.S3_ENDPOINT, callMs));
  }

  async check(): Promise<void> {
    await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), this.soon());
  }

  async remove(id: Uuid): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(id)), this.soon());
  }

  addressOf(file: ServedFile, seconds: number): Promise<string> {
    const command = new GetObjectCommand({
      ...this.at(file.id),
      ResponseContentType: file.type,
      ResponseContentDisposition: dispositionOf(file),
    });
    return getSignedUrl(this.signer, command, { expiresIn: seconds });
  }

  protected async keep(
    id: Uuid,
    content: AsyncIterable<Uint8Array>,
    type: AttachmentType,
    signal: AbortSignal,
  ): Promise<void> {
    const body = Readable.from(content, { objectMode: false });
    const upload = new Upload({
      client: this.client,
      params: {
        ...this.at(id),
        Body: body,
        ContentType: type,
        ContentDisposition: 'attachment',
      },
      partSize: PART_BYTES,
      queueSize: 1,
    });
    // Not `upload.abort()`: it does not wait for a running call, which could store the file after its removal.
    const stop = (): void => void body.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      // Each part has a call's timeout; the client determines the time between parts.
      await upload.done();
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', stop);
      // The upload continues to read after an abort.
      body.destroy();
    }
  }

  protected async read(id: Uuid): Promise<Readable> {
    try {
      const { Body: body } = await this.client.send(new GetObjectCommand(this.at(id)), this.soon());
      if (body instanceof Readable) return body;
      throw new Error('S3 answered without a body');
    } catch (error) {
      throw error instanceof NoSuchKey ? new FileMissing(id, { cause: error }) : error;
    }
  }

  private at(id: Uuid): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: id };
  }

  /** Deadline, including retries. */
  private soon(): { readonly abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(this.callMs) };
  }
}

function clientConfig(settings: S3Settings, endpoint: string | undefined, callMs: number): S3ClientConfig {
  const { S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  return {
    region: settings.S3_REGION,
    // Other servers have no host name per bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Without keys the client uses Amazon's defaults: the role of the machine or container.
    ...(keyId !== undefined &&
      secret !== undefined && { credentials: { accessKeyId: keyId.reveal(), secretAccessKey: secret.reveal() } }),
    maxAttempts: 2,
    // Not every server supports the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, callMs),
      requestTimeout: callMs,
      throwOnRequestTimeout: true,
    },
  };
}
