import type { Readable } from 'node:stream';

import { asError } from '../../../kernel/errors/service-error.js';
import { HeldBody } from './held-body.js';
import type { ReadingPace } from './reading-pace.js';

/** Resolves when there is room for more. Fails when the client has gone. */
export type Write = (text: string | Buffer) => Promise<void>;

/** The budget of a body beyond what its client has taken. */
export interface Spool {
  /** False if there is no room; granted bytes are held until `giveBack`. */
  grant(bytes: number): boolean;
  giveBack(): void;
}

interface StreamedBody {
  readonly produce: (write: Write) => Promise<void>;
  /** Ends a wait for the client, with its reason. */
  readonly signal: AbortSignal;
  /** Only for a body that had begun. */
  readonly onBroken: (error: unknown) => void;
  readonly pace: ReadingPace;
  /** Absent: each write waits until the previous one is taken. */
  readonly spool?: Spool;
}

/**
 * Sends a body while `produce` writes it. Resolves with the first text, so an earlier failure is thrown. A later
 * failure, or a slow client, breaks off the connection, so that a part cannot pass for the whole.
 */
export function streamedBody({ produce, signal, onBroken, pace, spool }: StreamedBody): Promise<Readable> {
  return new Promise((begun, failed) => {
    const body = new HeldBody(pace);
    let isBegun = false;
    let granted = 0;
    const begin = (): void => {
      isBegun = true;
      begun(body);
    };
    const write = async (text: string | Buffer): Promise<void> => {
      if (!isBegun) begin();
      if (body.destroyed) throw body.reason;
      body.put(text);
      const more = body.held - granted;
      if (more <= 0) return;
      if (spool?.grant(more) === true) granted += more;
      else await body.room(granted, signal);
    };
    body.once('close', () => {
      spool?.giveBack();
      if (body.errored !== null && isBegun) onBroken(body.errored);
    });
    produce(write).then(
      () => {
        begin();
        body.complete();
      },
      (error: unknown) => {
        const reason = asError(error);
        if (isBegun && !body.destroyed) body.destroy(reason);
        else if (!isBegun) {
          body.destroy();
          failed(reason);
        }
      },
    );
  });
}
