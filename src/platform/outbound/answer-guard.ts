import type { Socket } from 'node:net';

import { KIB } from '../../kernel/domain/bytes.js';
import { MOST_BODY_BYTES } from './answer-reader.js';

/** Of a status line with its headers; of an interim answer likewise. */
export const MOST_HEADER_BYTES = 16 * KIB;
/**
 * Read from a connection for one answer, whatever it consists of: its body, and as much around it as a head may have.
 */
const MOST_BYTES = MOST_BODY_BYTES + MOST_HEADER_BYTES;

/** Of TLS on a connection; servers send one or two. Each costs as much as a small answer, and is none of its bytes. */
const MOST_TICKETS = 20;

/** 1xx announces an answer and is not one; 101 would be the last word in HTTP, and nobody asked for it. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
const HEAD_END = '\r\n\r\n';

/**
 * Sits between a connection and undici's parser, one exchange at a time. It removes interim answers, since the parser
 * fails on 100, and ends a connection on which one answer has more than `MOST_BYTES`, be it in a status line, interim
 * answers or chunk extensions, which the parser would read without end; so too one with more than `MOST_TICKETS`.
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

/** An answer is longer than the limit. */
class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

/** A TLS server sends more tickets than the limit. */
class TooManyTickets extends Error {
  readonly code = 'TOO_MANY_TICKETS';
}

class AnswerGuard {
  private bytes = 0;
  /** The beginning of what may be an interim answer; undefined once the final answer has begun. */
  private held: Buffer | undefined = Buffer.alloc(0);
  private written = 0;

  /**
   * What to pass of a chunk to the parser. If bytes were written since the latest chunk, a request was sent: its answer
   * begins.
   */
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
