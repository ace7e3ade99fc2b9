import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';

/** The client closed its connection before it had the whole answer: nobody waits for the work any more. */
export class HungUp extends Error {
  /** As for any aborted work. */
  readonly code = 'ABORT_ERR';

  constructor() {
    super('the client hung up');
    this.name = 'HungUp';
  }
}

/** The part of an answer that shows whether somebody waits for it. */
export interface Answering {
  readonly raw: {
    readonly writableFinished: boolean;
    /** Whether it is closed: no `close` follows. */
    readonly destroyed: boolean;
    once(event: 'close', listener: () => void): unknown;
  };
}

/** An `AbortSignal` that aborts with `HungUp` when the client hangs up before the answer is sent. */
export function hangUpOf({ raw }: Answering): AbortSignal {
  const controller = new AbortController();
  const hangUp = (): void => {
    if (!raw.writableFinished) controller.abort(new HungUp());
  };
  // Whoever hangs up while his token is verified has done so before anything here can hear of it.
  if (raw.destroyed) hangUp();
  else raw.once('close', hangUp);
  return controller.signal;
}

/** Handler parameter: `hangUpOf` its answer. */
export const HangUp = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  hangUpOf(context.switchToHttp().getResponse<Answering>()),
);
