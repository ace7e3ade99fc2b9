import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { isTextWithin } from '../../kernel/input/checks.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { CredentialsDatabase } from '../../platform/database/pools/pools.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { issuerOf, tokenEndpointsOf } from '../access/public-address.js';
import { WrongSoFar } from '../secrets/failed-credential-limit.js';
import {
  algorithmsOf,
  type AssertionAlgorithm,
  type ClientKey,
  isAssertionAlgorithm,
  LONGEST_KID,
  publicKeyOf,
} from './client-keys.js';
import { type ActiveClient, ClientStatus, type StoredClient, storedClient } from './client-status.js';

/** For clients missing from the cache. Networks take turns, since anybody can cause look-ups. */
@Injectable()
export class ClientLookUps {
  constructor(
    @Inject(CredentialsDatabase) private readonly database: Connections,
    private readonly capacities: Capacities,
  ) {}

  /** For a `followed` client any failure is `WrongSoFar`, as its cached credentials did not match. Throws 503. */
  async find(clientId: string, address: string, followed: ActiveClient | undefined): Promise<StoredClient | undefined> {
    try {
      return await this.capacities.run('client-look-ups', { client: networkOf(address) }, () =>
        storedClient(this.database, clientId),
      );
    } catch (error) {
      throw followed === undefined ? error : new WrongSoFar(error);
    }
  }
}

/** RFC 7523 2.2. */
export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Characters for the longest key's signature and all needed claims. */
const LONGEST = 8_192;
const LONGEST_JTI = 256;
const LONGEST_LIFE_SECONDS = 300;
/** Tolerated clock lead of a client. */
const AHEAD_SECONDS = 30;
/** `typ` of RFC 7523 and its revision; other JWTs of a client are no assertions. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'client-authentication+jwt'];

export interface ReceivedAssertion {
  readonly jws: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Valid claims; the signature is still unverified. */
export interface ClientAssertion {
  readonly jws: string;
  readonly clientId: Uuid;
  readonly algorithm: AssertionAlgorithm;
  readonly kid: string | undefined;
  readonly jti: string;
  /** `exp`: seconds since 1970. */
  readonly expiresAt: number;
}

/** For the log, never for the client. */
export class AssertionFault {
  constructor(readonly reason: string) {}
}

interface Expected {
  readonly audiences: readonly string[];
  /** `client_id` of the request, optional. */
  readonly clientId: string | undefined;
  readonly now: Date;
}

/** Undefined if it is no JWT or too long. */
export function receivedAssertion(jws: string): ReceivedAssertion | undefined {
  if (jws.length > LONGEST) return undefined;
  try {
    return { jws, header: { ...decodeProtectedHeader(jws) }, claims: decodeJwt(jws) };
  } catch {
    return undefined;
  }
}

/** All checks without a key (RFC 7523 3, U-10). */
export function checkedAssertion(
  { jws, header, claims }: ReceivedAssertion,
  { audiences, clientId: given, now }: Expected,
): ClientAssertion | AssertionFault {
  const fault = (reason: string): AssertionFault => new AssertionFault(reason);
  const { alg, kid, typ } = header;
  if (!isAssertionAlgorithm(alg)) return fault('its alg is not one that is accepted');
  if (!TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ))
    return fault('its typ is that of another JWT');
  if (header['crit'] !== undefined) return fault('its header has crit');
  if (kid !== undefined && !isTextWithin(kid, LONGEST_KID)) return fault('its kid is no text of a sensible length');

  const clientId = parseUuid(claims['sub']);
  if (clientId === undefined) return fault('its sub is no client id');
  if (parseUuid(claims['iss']) !== clientId) return fault('its iss is not its sub');
  if (given !== undefined && parseUuid(given) !== clientId) return fault('client_id of the request is not its sub');
  if (!isFor(audiences, claims['aud'])) return fault('its aud is not this service');
  const { jti } = claims;
  if (!isTextWithin(jti, LONGEST_JTI)) return fault(`its jti is no text of 1 to ${LONGEST_JTI} characters`);

  const { exp: expiresAt, iat = expiresAt, nbf = 0 } = claims;
  const seconds = now.getTime() / 1_000;
  if (!isTime(expiresAt) || !isTime(iat) || !isTime(nbf)) return fault('its exp, iat or nbf is no time');
  if (expiresAt <= seconds) return fault('it has expired');
  if (expiresAt > seconds + LONGEST_LIFE_SECONDS + AHEAD_SECONDS || expiresAt - iat > LONGEST_LIFE_SECONDS) {
    return fault(`it lives longer than ${LONGEST_LIFE_SECONDS} s`);
  }
  if (nbf > seconds + AHEAD_SECONDS) return fault('its nbf is in the future');
  if (claims['iat'] !== undefined && iat > seconds + AHEAD_SECONDS) return fault('its iat is in the future');
  return { jws, clientId, algorithm: alg, kid, jti, expiresAt };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Requires a single audience: another recipient could otherwise reuse the assertion. */
function isFor(audiences: readonly string[], audience: unknown): boolean {
  const named: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return named.length > 0 && named.every((one) => audiences.some((ours) => ours === one));
}

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
    @Inject(CredentialsDatabase) private readonly database: Connections,
    private readonly capacities: Capacities,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** Undefined on any fault, which is only logged. `clientId` is the request's. Throws 503 for a full queue. */
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
    return (await this.spend(assertion)) ? client : new AssertionFault(`it was used before ${of}`);
  }

  /**
   * Whether this is the first use in all processes (U-10), before expiry by the database's clock, by an active client.
   * Only verified assertions, so that nobody else spends a client's ids. Throws 503 without a turn.
   */
  private async spend({ clientId, jti, expiresAt }: ClientAssertion): Promise<boolean> {
    const hash = createHash('sha256').update(jti).digest();
    const statement = sql`
      insert into spent_assertion (client_id, jti_hash, expires_at)
      select client_id, ${hash}::bytea, to_timestamp(${expiresAt}::float8) from system_client
       where client_id = ${clientId} and status = 'active' and to_timestamp(${expiresAt}::float8) > clock_timestamp()
          on conflict do nothing returning client_id`;
    const turn = { client: clientId };
    const spent = await this.capacities.run('spent-assertions', turn, () => this.database.query(statement));
    return spent.length > 0;
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
