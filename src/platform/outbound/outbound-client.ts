import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  DEFAULT_CIPHERS,
  type PeerCertificate,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { buildConnector, Pool } from 'undici';
import { KIB } from '../../kernel/domain/bytes.js';
import { packageVersion } from '../config/package-version.js';
import { type AddressPolicy, hostOf, NOT_HTTPS, NOT_PERMITTED } from './address-policy.js';
import {
  AnswerReader,
  type Exchange,
  failureOf,
  MOST_BODY_BYTES,
  type OutboundRequest,
  type Refused,
  type UnreachableClass,
  Withdrawn,
} from './exchange.js';
import type { ResolveHost } from './resolve-host.js';

/** Status line and headers, of interim answers too. */
const MOST_HEADER_BYTES = 16 * KIB;
const MOST_BYTES = MOST_BODY_BYTES + MOST_HEADER_BYTES;

/** TLS tickets of a connection; servers send one or two. Each costs as much as a small answer, but counts no bytes. */
const MOST_TICKETS = 20;

/** A 1xx precedes the answer; an unrequested 101 would end HTTP. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
const HEAD_END = '\r\n\r\n';

/**
 * Runs before undici's parser, which fails on 100: removes interim answers. Ends a connection past `MOST_BYTES`, chunk
 * extensions included, which the parser would read without end, or past `MOST_TICKETS`.
 */
function guardAnswers(socket: Socket): void {
  const read = socket.read.bind(socket);
  const guard = new AnswerGuard();
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets > MOST_TICKETS) socket.destroy(new TooManyTickets());
  });
  socket.read = (size?: number): Buffer | null => {
    for (let chunk = read(size) as Buffer | null; chunk !== null; chunk = read(size) as Buffer | null) {
      const passed = guard.pass(chunk, socket.bytesWritten);
      if (passed === 'too long') {
        socket.destroy(new AnswerTooLong());
        return null;
      }
      if (passed !== undefined) return passed;
    }
    return null;
  };
}

class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

class TooManyTickets extends Error {
  readonly code = 'TOO_MANY_TICKETS';
}

class AnswerGuard {
  private bytes = 0;
  private held: Buffer | undefined = Buffer.alloc(0);
  private written = 0;

  /** Bytes written since the latest chunk mean a new request, whose answer begins. */
  pass(chunk: Buffer, written: number): Buffer | 'too long' | undefined {
    if (written !== this.written) {
      this.written = written;
      this.bytes = 0;
      this.held = Buffer.alloc(0);
    }
    this.bytes += chunk.length;
    if (this.bytes > MOST_BYTES) return 'too long';
    if (this.held === undefined) return chunk;
    return this.withoutInterim(this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]));
  }

  private withoutInterim(text: Buffer): Buffer | 'too long' | undefined {
    let rest = text;
    for (;;) {
      const status = rest.toString('latin1', 0, STATUS_LENGTH);
      if (status.length === STATUS_LENGTH && !INTERIM.test(status)) {
        this.held = undefined;
        return rest;
      }
      const end = status.length < STATUS_LENGTH ? -1 : rest.indexOf(HEAD_END);
      if (end === -1) {
        this.held = rest;
        return rest.length > MOST_HEADER_BYTES ? 'too long' : undefined;
      }
      rest = rest.subarray(end + HEAD_END.length);
    }
  }
}

/** W-6: firewalls refuse requests without `Accept`. A compressed answer could not be read as it arrives. */
export const ownHeaders = (): Readonly<Record<string, string>> => ({
  accept: 'application/json, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': `Matricula/${packageVersion()}`,
});

/** Those of browsers. Other groups have up to 8,192 bits and take a hundred times as long. */
const CURVES = 'X25519:P-256:P-384:P-521';

/**
 * Handshakes run in the event loop before the certificate is checked. A server may choose 10,000-bit Diffie-Hellman
 * numbers, which take seconds, and may renegotiate without end.
 *
 * `certificateAuthorities`: see `OutboundClientOptions`.
 */
function secureContextOf(certificateAuthorities: string | undefined): SecureContext {
  return createSecureContext({
    ciphers: `${DEFAULT_CIPHERS}:!DHE`,
    ecdhCurve: CURVES,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(certificateAuthorities !== undefined && { ca: [...rootCertificates, certificateAuthorities] }),
  });
}

const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK = ['127.0.0.1', '::1'];

/** The reason is for the log alone. */
type CheckedAddresses =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Checks all addresses of a host; one forbidden address refuses it, since mixed names are not trustworthy. Only
 * `localhost` may lack one of its two. Throws the DNS error without an address.
 */
async function checkedAddresses(host: string, policy: AddressPolicy, resolve: ResolveHost): Promise<CheckedAddresses> {
  if (policy.isMetadataName(host)) return { kind: 'refused', reason: 'names a metadata service' };
  const isLocalhost = LOCALHOST.test(host);
  const found = isLocalhost ? LOOPBACK : isIP(host) === 0 ? await resolve(host) : [host];
  const refusals = found.map((address) => policy.refusalOf(address));
  const allowed = found.filter((_, at) => refusals[at] === undefined);
  if (allowed.length === found.length || (isLocalhost && allowed.length > 0)) {
    return { kind: 'allowed', addresses: allowed };
  }
  const reason = refusals.find((refusal) => refusal !== undefined) ?? '';
  return { kind: 'refused', reason: `leads to an address that is ${reason}` };
}

/** Shorter than servers keep idle connections, so that no request uses a closing one. */
const IDLE_MS = 4_000;
const MOST_POOLS = 500;
/** For one of several addresses: a lost packet is sent again after a second. */
const MOST_ATTEMPT_MS = 3_000;
const LEAST_ATTEMPT_MS = 10;

interface OutboundClientOptions {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveHost;
  /** Checked here too: a URL may have been accepted while plain http was open. */
  readonly allowHttp: boolean;
  /** Milliseconds for look-up, connection, handshake, request and answer. */
  readonly timeoutMs: number;
  /** PEM, in addition to the public ones (`WEBHOOK_CA_FILE`). */
  readonly certificateAuthorities: string | undefined;
}

/**
 * For subscribers and the country configuration (W-6). Connects only to checked addresses, reuses connections per host
 * and addresses, follows no redirect and ignores proxy variables.
 */
export class OutboundClient {
  private readonly log = new Logger(OutboundClient.name);
  private readonly ownHeaders = ownHeaders();
  private readonly pools = new LRUCache<string, Pinned>({
    max: MOST_POOLS,
    dispose: ({ pool }, _, reason) => {
      if (reason !== 'evict') return;
      this.forgotten.add(pool);
      void pool.close().finally(() => this.forgotten.delete(pool));
    },
  });

  private readonly forgotten = new Set<Pool>();
  private isClosed = false;
  private readonly connect: buildConnector.BuildOptions;

  constructor(private readonly options: OutboundClientOptions) {
    const { certificateAuthorities, timeoutMs } = options;
    this.connect = {
      timeout: timeoutMs,
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
      rejectUnauthorized: true,
      checkServerIdentity: checkAlternativeNames,
      autoSelectFamily: true,
      secureContext: secureContextOf(certificateAuthorities),
    };
  }

  /** Never throws for failures of a server or the network. */
  async exchange(request: OutboundRequest): Promise<Exchange> {
    const begunMs = performance.now();
    const durationMs = (): number => Math.round(performance.now() - begunMs);
    const refused = (reason: Refused, forLog: string): Exchange => {
      this.log.warn(`nothing is sent to ${JSON.stringify(hostOf(request.url))}: it ${forLog}`);
      return { kind: 'refused', reason, durationMs: durationMs() };
    };
    const unreachable = (errorClass: UnreachableClass, code: string): Exchange => ({
      kind: 'unreachable',
      errorClass,
      code,
      durationMs: durationMs(),
    });
    if (request.url.protocol !== 'https:' && !this.options.allowHttp) return refused(NOT_HTTPS, NOT_HTTPS);
    const deadline = new Deadline(this.options.timeoutMs);
    let step: 'look-up' | 'request' = 'look-up';
    try {
      const checked = await deadline.bound(
        checkedAddresses(hostOf(request.url), this.options.policy, this.options.resolve),
      );
      if (checked.kind === 'refused') return refused(NOT_PERMITTED, checked.reason);
      // A connection opened now would never be closed.
      if (this.isClosed) throw new Withdrawn();
      step = 'request';
      const reader = new AnswerReader(request.isWanted ?? (() => true));
      deadline.breaksOff((reason) => {
        reader.breakOff(reason);
      });
      this.poolFor(request.url, checked.addresses).dispatch(
        {
          method: request.method,
          path: request.url.pathname + request.url.search,
          headers: { ...this.ownHeaders, ...request.headers },
          body: request.body ?? null,
        },
        reader,
      );
      return { kind: 'answered', ...(await reader.answer), durationMs: durationMs() };
    } catch (error) {
      if (error instanceof Withdrawn) return { kind: 'withdrawn', durationMs: durationMs() };
      if (deadline.passed) return unreachable('timeout', '');
      const { errorClass, code } = failureOf(error);
      return unreachable(step === 'look-up' ? 'dns' : errorClass, code);
    } finally {
      deadline.clear();
    }
  }

  /** Exchanges in progress end as unreachable; nothing more is sent. */
  async close(): Promise<void> {
    this.isClosed = true;
    const pools = [...Array.from(this.pools.values(), ({ pool }) => pool), ...this.forgotten];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private poolFor({ origin }: URL, addresses: readonly string[]): Pool {
    const key = [origin, ...[...addresses].sort()].join(' ');
    const pinned = this.pools.get(key) ?? this.pinnedTo(origin, addresses);
    pinned.addresses = addresses;
    this.pools.set(key, pinned);
    return pinned.pool;
  }

  private pinnedTo(origin: string, addresses: readonly string[]): Pinned {
    const connect = buildConnector({
      ...this.connect,
      autoSelectFamilyAttemptTimeout: attemptMs(this.options.timeoutMs, addresses.length),
      lookup: (_hostname, { all }, callback) => {
        const found = pinned.addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (all === true) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
    });
    const pinned: Pinned = { pool: poolOf(origin, connect), addresses };
    return pinned;
  }
}

const poolOf = (origin: string, connect: buildConnector.connector): Pool =>
  new Pool(origin, {
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        guardAnswers(socket);
        callback(null, socket);
      });
    },
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MOST_HEADER_BYTES,
    // The exchange's deadline is the only one.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** Node's 250 ms for each address is too short for a far server or a busy process. */
const attemptMs = (timeoutMs: number, addresses: number): number =>
  Math.max(LEAST_ATTEMPT_MS, Math.min(MOST_ATTEMPT_MS, Math.floor(timeoutMs / (addresses + 1))));

/** Ignores the common name (RFC 9110, 4.3.4), which Node would accept. */
const checkAlternativeNames = (host: string, certificate: PeerCertificate): Error | undefined =>
  checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });

interface Pinned {
  readonly pool: Pool;
  /** As last resolved; many name servers rotate them. */
  addresses: readonly string[];
}

class Deadline {
  passed = false;
  private breakOff: (reason: Error) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(afterMs: number) {
    this.timer = setTimeout(() => {
      this.passed = true;
      this.breakOff(new Error('the deadline of the exchange has passed'));
    }, afterMs);
  }

  breaksOff(breakOff: (reason: Error) => void): void {
    this.breakOff = breakOff;
  }

  bound<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.breaksOff(reject);
      work.then(resolve, reject);
    });
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
