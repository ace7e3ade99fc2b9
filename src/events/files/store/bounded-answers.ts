import { Readable } from 'node:stream';

import type { S3Client } from '@aws-sdk/client-s3';

import { KIB } from '../../../kernel/domain/bytes.js';

/** For an XML result or error. */
const MOST_ANSWER_BYTES = 64 * KIB;

interface Answer {
  readonly response: { readonly statusCode: number; body?: unknown };
}

/**
 * Limits each S3 exchange to `ms`, and answers other than files to `MOST_ANSWER_BYTES`. The client itself buffers
 * without limit, and `Upload` passes on no signal.
 */
export function boundAnswers(client: S3Client, ms: number): void {
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
