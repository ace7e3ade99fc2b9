import { Injectable } from '@nestjs/common';

/** Requests for records, places and webhooks; logins give way to them. */
@Injectable()
export class OtherWork {
  private inFlight = 0;
  private begun = 0;

  begin(): () => void {
    this.inFlight += 1;
    this.begun += 1;
    return () => {
      this.inFlight -= 1;
    };
  }

  watch(): () => boolean {
    const { inFlight, begun } = this;
    return () => inFlight > 0 || this.begun !== begun;
  }
}
