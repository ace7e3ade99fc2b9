import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';

/** For how long a client may take nothing of what waits for it. */
const STALL_MS = 60_000;

/** Done when there is room for more. Fails when nobody takes it any more. */
export type Write = (text: string) => Promise<void>;

/**
 * A body that is sent while `produce` writes it, no faster than the client takes it. Comes with the first text that is
 * written, so that a failure before it is thrown. After a later one the body breaks off: `onBroken` is told why, and the
 * client's connection ends without an end of the body, so that what came cannot pass for all of it.
 */
export function streamedBody(
  produce: (write: Write) => Promise<void>,
  onBroken: (error: unknown) => void,
): Promise<Readable> {
  return new Promise((begun, failed) => {
    const body = new PassThrough();
    let isBegun = false;
    const begin = (): void => {
      isBegun = true;
      begun(body);
    };
    const write = async (text: string): Promise<void> => {
      if (!isBegun) begin();
      if (body.destroyed) throw new BodyClosed();
      if (!body.write(text)) await drained(body);
    };
    produce(write).then(
      () => {
        begin();
        body.end();
      },
      (error: unknown) => {
        if (!isBegun) {
          failed(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        onBroken(error);
        body.destroy(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

class BodyClosed extends Error {
  readonly code = 'ERR_STREAM_DESTROYED';

  constructor(message = 'the client takes no more of the body') {
    super(message);
    this.name = 'BodyClosed';
  }
}

function drained(body: PassThrough): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      clearTimeout(stalled);
      body.off('drain', drain).off('close', closed);
      outcome();
    };
    const drain = (): void => {
      settle(resolve);
    };
    const closed = (): void => {
      settle(() => {
        reject(new BodyClosed());
      });
    };
    const stalled = setTimeout(() => {
      settle(() => {
        reject(new BodyClosed(`the client took nothing of the body for ${STALL_MS / 1_000} s`));
      });
    }, STALL_MS);
    body.on('drain', drain).on('close', closed);
  });
}
