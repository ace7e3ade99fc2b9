import type { Socket } from 'node:net';

import { KIB } from '../../kernel/domain/bytes.js';
import { MOST_BODY_BYTES } from './answer-reader.js';

/** Status line and headers, of interim answers too. */
export const MOST_HEADER_BYTES = 16 * KIB;
const MOST_BYTES = MOST_BODY_BYTES + MOST_HEADER_BYTES;

/** TLS tickets of a connection; servers send one or two. Each costs as much as a small answer, but counts no bytes. */
const MOST_TICKETS = 20;

/** A 1xx precedes the answer; an unrequested 101 would end HTTP. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
const HEAD_END = '\r\n\r\n';

/**
 * Runs before undici's parser, which fails on 100: removes interim answers. Ends a connection past `MOST_BYTES`, chunk
 * extensions included, which the parser would read without end, or past `MOST_TICKETS`.
 */
export function guardAnswers(socket: Socket): void {
  const read = socket.read.bind(socket);
  const guard = new AnswerGuard();
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets > MOST_TICKETS) socket.destroy(new TooManyTickets());
  });
  socket.read = (size?: number): Buffer | null => {
    for (let chunk = read(size) as Buffer | null; chunk !== null; chunk = read(size) as Buffer | null) {
      const passed = guard.pass(chunk, socket.bytesWritten);
      if (passed === 'too long') {
        socket.destroy(new AnswerTooLong());
        return null;
      }
      if (passed !== undefined) return passed;
    }
    return null;
  };
}

class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

class TooManyTickets extends Error {
  readonly code = 'TOO_MANY_TICKETS';
}

class AnswerGuard {
  private bytes = 0;
  private held: Buffer | undefined = Buffer.alloc(0);
  private written = 0;

  /** Bytes written since the latest chunk mean a new request, whose answer begins. */
  pass(chunk: Buffer, written: number): Buffer | 'too long' | undefined {
    if (written !== this.written) {
      this.written = written;
      this.bytes = 0;
      this.held = Buffer.alloc(0);
    }
    this.bytes += chunk.length;
    if (this.bytes > MOST_BYTES) return 'too long';
    if (this.held === undefined) return chunk;
    return this.withoutInterim(this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]));
  }

  private withoutInterim(text: Buffer): Buffer | 'too long' | undefined {
    let rest = text;
    for (;;) {
      const status = rest.toString('latin1', 0, STATUS_LENGTH);
      if (status.length === STATUS_LENGTH && !INTERIM.test(status)) {
        this.held = undefined;
        return rest;
      }
      const end = status.length < STATUS_LENGTH ? -1 : rest.indexOf(HEAD_END);
      if (end === -1) {
        this.held = rest;
        return rest.length > MOST_HEADER_BYTES ? 'too long' : undefined;
      }
      rest = rest.subarray(end + HEAD_END.length);
    }
  }
}
