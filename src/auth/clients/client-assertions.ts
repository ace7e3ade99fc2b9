import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { issuerOf, tokenEndpointsOf } from '../access/public-address.js';
import { ClientLookUps } from './client-look-ups.js';
import { type ActiveClient, ClientStatus } from './client-status.js';
import { AssertionFault, checkedAssertion, type ClientAssertion, type ReceivedAssertion } from './client-assertion.js';
import { isSignedBy } from './signature.js';
import { SpentAssertions } from './spent-assertions.js';

/** Client assertions (RFC 7523, `private_key_jwt`, U-10). */
@Injectable()
export class ClientAssertions {
  private readonly logger = new Logger(ClientAssertions.name);

  constructor(
    private readonly lookUps: ClientLookUps,
    private readonly status: ClientStatus,
    private readonly spent: SpentAssertions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /**
   * Undefined on any fault, which is only logged. `clientId` is the request's, `address` the peer's. Throws 503 for a
   * full queue.
   */
  async client(
    received: ReceivedAssertion | undefined,
    clientId: string | undefined,
    address: string,
    now: Date,
  ): Promise<ActiveClient | undefined> {
    const outcome = await this.outcome(received, clientId, address, now);
    if (!(outcome instanceof AssertionFault)) return outcome;
    this.logger.log(`client assertion refused: ${outcome.reason}`);
    return undefined;
  }

  /** Cheapest checks first: claims, then signature, then the database write. */
  private async outcome(
    received: ReceivedAssertion | undefined,
    clientId: string | undefined,
    address: string,
    now: Date,
  ): Promise<ActiveClient | AssertionFault> {
    const { PUBLIC_URL } = this.config;
    if (PUBLIC_URL === undefined) return new AssertionFault('PUBLIC_URL is not set, so none can be for this service');
    if (received === undefined) return new AssertionFault('it is no JWT');
    const issuer = issuerOf(PUBLIC_URL);
    const audiences = [PUBLIC_URL, issuer, ...tokenEndpointsOf(issuer)];
    const assertion = checkedAssertion(received, { audiences, clientId, now });
    if (assertion instanceof AssertionFault) return assertion;
    const client = await this.signer(assertion, address);
    const of = `(client ${assertion.clientId})`;
    if (client === undefined) return new AssertionFault(`no key of an active client has signed it ${of}`);
    return (await this.spent.spend(assertion)) ? client : new AssertionFault(`it was used before ${of}`);
  }

  /** If no cached key matches, the row is read, since another process may have registered one. */
  private async signer(assertion: ClientAssertion, address: string): Promise<ActiveClient | undefined> {
    const followed = this.status.followed(assertion.clientId);
    if ((await isSignedBy(followed?.keys ?? [], assertion)) && followed !== undefined) return followed;
    const stored = await this.lookUps.find(assertion.clientId, address, followed);
    const isSigned = await isSignedBy(stored?.keys ?? [], assertion);
    return isSigned && stored?.active === true ? stored : undefined;
  }
}
