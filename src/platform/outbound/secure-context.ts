import { constants } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { createSecureContext, DEFAULT_CIPHERS, rootCertificates } from 'node:tls';

/** Those of browsers. Other groups have up to 8,192 bits and take a hundred times as long. */
const CURVES = 'X25519:P-256:P-384:P-521';

/**
 * Handshakes run in the event loop before the certificate is checked. A server may choose 10,000-bit Diffie-Hellman
 * numbers, which take seconds, and may renegotiate without end.
 *
 * `certificateAuthorities`: see `OutboundClientOptions`.
 */
export function secureContextOf(certificateAuthorities: string | undefined): SecureContext {
  return createSecureContext({
    ciphers: `${DEFAULT_CIPHERS}:!DHE`,
    ecdhCurve: CURVES,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(certificateAuthorities !== undefined && { ca: [...rootCertificates, certificateAuthorities] }),
  });
}
