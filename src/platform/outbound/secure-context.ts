import { constants } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { createSecureContext, DEFAULT_CIPHERS, rootCertificates } from 'node:tls';

/** Those of browsers. Other groups are numbers of up to 8,192 bits, which take a hundred times as long. */
const CURVES = 'X25519:P-256:P-384:P-521';

/**
 * What is agreed with a server in a handshake, which the event loop does, before its certificate is checked. A server
 * may choose its own numbers for a Diffie-Hellman exchange without curves, and those of 10,000 bits take seconds. It
 * may also ask for another handshake as often as it likes.
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
