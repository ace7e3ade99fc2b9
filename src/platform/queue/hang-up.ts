import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';

/** The client closed its connection before the whole answer. */
export class HungUp extends Error {
  readonly code = 'ABORT_ERR';

  constructor() {
    super('the client hung up');
    this.name = 'HungUp';
  }
}

export interface Answering {
  readonly raw: {
    readonly writableFinished: boolean;
    /** Closed: no `close` follows. */
    readonly destroyed: boolean;
    once(event: 'close', listener: () => void): unknown;
  };
}

/** Aborts with `HungUp` when the client hangs up before the answer is sent. */
export function hangUpOf({ raw }: Answering): AbortSignal {
  const controller = new AbortController();
  const hangUp = (): void => {
    if (!raw.writableFinished) controller.abort(new HungUp());
  };
  // The client may have left during token verification, before any listener here.
  if (raw.destroyed) hangUp();
  else raw.once('close', hangUp);
  return controller.signal;
}

export const HangUp = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  hangUpOf(context.switchToHttp().getResponse<Answering>()),
);
