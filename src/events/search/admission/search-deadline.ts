import { ServiceError } from '../../../kernel/errors/service-error.js';

/** An immediate retry would time out again. */
const RETRY_AFTER_SECONDS = '10';

/** `signal` aborts with 503 SERVICE_UNAVAILABLE on timeout, or with the client's reason. */
export class SearchDeadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private leftMs = 0;
  private sinceMs = 0;
  private isWaiting = false;
  private readonly hangUp = (): void => {
    this.pause();
    this.controller.abort(this.hungUp?.reason);
  };

  constructor(
    private readonly seconds: number,
    private readonly hungUp?: AbortSignal,
    private readonly whenOver = () => tookTooLong(seconds),
  ) {
    hungUp?.addEventListener('abort', this.hangUp, { once: true });
    if (hungUp?.aborted === true) this.hangUp();
    else this.begin();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** With the whole time. */
  begin(): void {
    this.leftMs = this.seconds * 1_000;
    this.resume();
  }

  /** With the remaining time. */
  resume(): void {
    this.run(this.leftMs, this.whenOver);
  }

  /** Waits for a turn until `waited`, for at most `seconds` of the search's time. */
  wait(seconds: number, tooLong: () => ServiceError): void {
    this.isWaiting = true;
    this.pause();
    if (1_000 * seconds < this.leftMs) this.run(1_000 * seconds, tooLong);
    else this.resume();
  }

  waited(): void {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.pause();
    this.resume();
  }

  pause(): void {
    if (this.timer !== undefined) this.leftMs -= performance.now() - this.sinceMs;
    this.stop();
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  end(): void {
    this.stop();
    this.hungUp?.removeEventListener('abort', this.hangUp);
  }

  private run(ms: number, whenOver: () => ServiceError): void {
    this.stop();
    this.sinceMs = performance.now();
    this.timer = setTimeout(() => {
      this.controller.abort(whenOver());
    }, ms);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

const tookTooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The search was not done within ${seconds} s, and was given up; a narrower one may be answered`,
    { headers: { 'retry-after': RETRY_AFTER_SECONDS }, refusal: 'search-timeout' },
  );
