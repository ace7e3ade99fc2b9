import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { compactVerify } from 'jose';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { issuerOf, tokenEndpointsOf } from '../access/public-address.js';
import { algorithmsOf, type AssertionAlgorithm } from './assertion-algorithms.js';
import { AssertionFault, checkedAssertion, type ClientAssertion, type ReceivedAssertion } from './client-assertion.js';
import { type ClientKey, publicKeyOf } from './client-keys.js';
import { ClientLookUps } from './client-look-ups.js';
import { type ActiveClient, ClientStatus } from './client-status.js';
import { SpentAssertions } from './spent-assertions.js';

const READ = new WeakMap<ClientKey, KeyObject>();

/**
 * Verifies with the named key, or the only suitable one; one signature even if no key matches, to keep the time equal.
 */
export async function isSignedBy(
  keys: readonly ClientKey[],
  { jws, kid, algorithm }: ClientAssertion,
): Promise<boolean> {
  const [key, ...others] = keys.filter((one) => (kid === undefined || one.kid === kid) && fits(one, algorithm));
  const chosen = key !== undefined && others.length === 0 ? readKey(key) : undefined;
  const verified = await compactVerify(jws, chosen ?? nobodysKey(algorithm), { algorithms: [algorithm] }).then(
    () => true,
    () => false,
  );
  return verified && chosen !== undefined;
}

const fits = (key: ClientKey, algorithm: AssertionAlgorithm): boolean =>
  key.alg === undefined ? algorithmsOf(readKey(key)).includes(algorithm) : key.alg === algorithm;

function readKey(key: ClientKey): KeyObject {
  const known = READ.get(key) ?? publicKeyOf(key);
  READ.set(key, known);
  return known;
}

const NOBODYS = new Map<AssertionAlgorithm, KeyObject>();

function nobodysKey(algorithm: AssertionAlgorithm): KeyObject {
  const known = NOBODYS.get(algorithm) ?? madeKey(algorithm);
  NOBODYS.set(algorithm, known);
  return known;
}

function madeKey(algorithm: AssertionAlgorithm): KeyObject {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    case 'ES384':
      return generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    case 'ES512':
      return generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey;
    case 'EdDSA':
    case 'Ed25519':
      return generateKeyPairSync('ed25519').publicKey;
    default:
      return createPublicKey({ key: { kty: 'RSA', n: oddNumber().toString('base64url'), e: 'AQAB' }, format: 'jwk' });
  }
}

/** A free 2,048-bit modulus for verification, with unknown factors. */
function oddNumber(): Buffer {
  const bytes = randomBytes(256);
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  bytes.writeUInt8(bytes.readUInt8(255) | 1, 255);
  return bytes;
}

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
