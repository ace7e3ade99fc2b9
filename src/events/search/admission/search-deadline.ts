import { ServiceError } from '../../../kernel/errors/service-error.js';

/** An immediate retry would time out again. */
const RETRY_AFTER_SECONDS = '10';

/** `signal` aborts with 503 SERVICE_UNAVAILABLE on timeout, or with the client's reason. */
export class SearchDeadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly hangUp = (): void => {
    this.abort(this.hungUp.reason);
  };

  constructor(
    seconds: number,
    private readonly hungUp: AbortSignal,
  ) {
    hungUp.addEventListener('abort', this.hangUp, { once: true });
    if (hungUp.aborted) this.hangUp();
    else this.begin(seconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** With a new time. */
  begin(seconds: number, whenOver = () => tookTooLong(seconds)): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.abort(whenOver());
    }, 1_000 * seconds);
  }

  abort(reason: unknown): void {
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }

  end(): void {
    clearTimeout(this.timer);
    this.hungUp.removeEventListener('abort', this.hangUp);
  }
}

const tookTooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The search was not done within ${seconds} s, and was given up; a narrower one may be answered`,
    { headers: { 'retry-after': RETRY_AFTER_SECONDS }, refusal: 'search-timeout' },
  );
