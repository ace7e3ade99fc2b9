import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

import { DAY_MS } from '../../src/kernel/domain/calendar.js';

/** A certificate authority made for one test run. */
export interface TestAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  /**
   * A server certificate for names and addresses, with its key, both PEM. Its common name is no host's unless it is
   * given.
   */
  issue(names: readonly string[], validity?: Validity, commonName?: string, keys?: KeyPair): TestCertificate;
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

interface Validity {
  readonly from: Date;
  readonly until: Date;
}

const NOW: Validity = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };

export function createTestAuthority(name = 'Test authority'): TestAuthority {
  const { privateKey, publicKey } = newKeyPair();
  const ca = extension('551d13', true, sequence(boolean(true)));
  const certificate = certificateOf(name, name, publicKey, privateKey, NOW, [ca]);
  return {
    certificate,
    issue: (names, validity = NOW, subject = 'Test subscriber', server = newKeyPair()) => {
      const alternatives = names.map((one) => (isIP(one) === 0 ? tagged(0x82, Buffer.from(one)) : addressName(one)));
      return {
        cert: certificateOf(subject, name, server.publicKey, privateKey, validity, [
          // One without names has no list of names.
          alternatives.length === 0 ? usage : extension('551d11', false, sequence(...alternatives)),
        ]),
        key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

const newKeyPair = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** X.509 v3 (RFC 5280), signed with ECDSA and SHA-256. */
function certificateOf(
  subject: string,
  issuer: string,
  subjectKey: KeyObject,
  issuerKey: KeyObject,
  { from, until }: Validity,
  extensions: readonly Buffer[],
): string {
  const algorithm = sequence(identifier('2a8648ce3d040302'));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    commonName(issuer),
    sequence(time(from), time(until)),
    commonName(subject),
    subjectKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuerKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** DER: a tag, the length of the content, the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

const sequence = (...members: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(members));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => tagged(0x04, content);
const time = (date: Date): Buffer => tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
const commonName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))));
const extension = (hex: string, critical: boolean, content: Buffer): Buffer =>
  sequence(identifier(hex), ...(critical ? [boolean(true)] : []), octets(content));

/** Good for TLS servers: an extension for those that have no other. */
const usage = extension('551d25', false, sequence(identifier('2b06010505070301')));

function addressName(address: string): Buffer {
  if (isIP(address) === 4) return tagged(0x87, Buffer.from(address.split('.').map(Number)));
  // The tests' only IPv6 address is ::1.
  return tagged(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])]));
}
