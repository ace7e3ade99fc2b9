import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export function isSecretsKey(value: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(value);
}

/** At least 2048 bits, as PKCS#8 PEM. */
export function isRsaPrivateKey(pem: string): boolean {
  try {
    const key = createPrivateKey(pem);
    return (
      pem.includes('-----BEGIN PRIVATE KEY-----') &&
      key.asymmetricKeyType === 'rsa' &&
      (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    );
  } catch {
    return false;
  }
}

/** An IP address, or a range such as `10.0.0.0/8`. */
export function isAddressOrRange(item: string): boolean {
  const [address = '', prefix] = item.split('/');
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return (
    bits > 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)) &&
    item.split('/').length <= 2
  );
}

/** As browsers send it: nothing follows the port. */
export function isOrigin(item: string): boolean {
  return URL.canParse(item) && ['http:', 'https:'].includes(new URL(item).protocol) && new URL(item).origin === item;
}

/** Three-letter names of the IANA database. */
const SHORT_ZONES = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

/** Withdrawn IANA names that Intl still knows: PostgreSQL fails on them, or reads a rule in them. */
const FORMER_ZONES = /^(?:us\/pacific-new|canada\/east-saskatchewan|systemv\/.*)$/i;

/** Intl also knows abbreviations that the database reads differently: `AST` is Alaska here, the Atlantic there. */
export function isTimeZone(value: string): boolean {
  if (/^[a-z]{3}$/i.test(value) && !SHORT_ZONES.has(value.toUpperCase())) return false;
  if (FORMER_ZONES.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export function isCertificates(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0;
  } catch {
    return false;
  }
}
