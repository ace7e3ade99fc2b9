import type { IncomingMessage, ServerResponse } from 'node:http';

import { isGenuine } from '../verify-signature/typescript/verify-notification.js';
import type { Inbox } from './inbox.js';

/** Documents of up to 2 MiB each stand in a notification. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

export interface HandlerOptions {
  readonly shaSecret: string;
  readonly topics: readonly string[];
  readonly inbox: Inbox;
  readonly tell: (line: string) => void;
}

/** Answers what Matricula sends to the callback: GET asks whether it is wanted, POST brings a notification. */
export function notificationHandler(options: HandlerOptions) {
  return (request: IncomingMessage, answer: ServerResponse): void => {
    const answering =
      request.method === 'GET'
        ? agree(request, answer, options)
        : request.method === 'POST'
          ? receive(request, answer, options)
          : end(answer, 405);
    // The caller has gone away, or the disk is full: it is not acknowledged, and comes again.
    answering.catch(() => answer.destroy());
  };
}

/** The handshake: whoever asks for a topic that nobody here has subscribed to is not answered with its challenge. */
function agree(request: IncomingMessage, answer: ServerResponse, { topics, tell }: HandlerOptions): Promise<void> {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const topic = searchParams.get('topic') ?? '';
  if (searchParams.get('mode') !== 'subscribe' || !topics.includes(topic)) return end(answer, 404);
  tell(`agreed to be notified of ${topic}`);
  return end(answer, 200, JSON.stringify({ challenge: searchParams.get('challenge') }));
}

/**
 * First genuine, then kept, then acknowledged; what is to be done about it comes later, so that the answer comes at
 * once.
 */
async function receive(
  request: IncomingMessage,
  answer: ServerResponse,
  { shaSecret, inbox, tell }: HandlerOptions,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return end(answer, 413);
  if (!isGenuine(request.headers, body, shaSecret)) {
    tell('refused a notification that is not genuine');
    return end(answer, 401);
  }
  if (!inbox.receive(body)) tell(`had it already: ${String(request.headers['webhook-id'])}`);
  return end(answer, 200);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function end(answer: ServerResponse, status: number, json = ''): Promise<void> {
  answer.writeHead(status, { 'content-type': 'application/json' });
  return new Promise((resolve) => answer.end(json, resolve));
}
