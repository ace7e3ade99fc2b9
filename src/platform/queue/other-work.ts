import { Injectable } from '@nestjs/common';

/** What a process does beside letting users in: requests for records, places, webhooks. Logins give way to it. */
@Injectable()
export class OtherWork {
  private inFlight = 0;
  private begun = 0;

  /** A request begins; the result is to be called when it has ended. */
  begin(): () => void {
    this.inFlight += 1;
    this.begun += 1;
    return () => {
      this.inFlight -= 1;
    };
  }

  /** Watches from now on; the result tells whether there has been any such request since. */
  watch(): () => boolean {
    const { inFlight, begun } = this;
    return () => inFlight > 0 || this.begun !== begun;
  }
}
