import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync } from 'node:crypto';

import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose';

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Makes access tokens with a signing key that the service is started with: good ones, and any others. */
export class TokenIssuer {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = privateKey;
    this.publicKey = publicKey;
  }

  /** For `JWT_PRIVATE_KEY`. */
  get pem(): string {
    return this.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  /** The header that the service gives its tokens. */
  async header(): Promise<JWTHeaderParameters> {
    return { alg: 'RS256', typ: 'JWT', kid: await calculateJwkThumbprint(await exportJWK(this.publicKey)) };
  }

  /** The claims of an administrator's token; a claim that is undefined is left out. */
  claims(changes: JWTPayload = {}): JWTPayload {
    const claims: JWTPayload = {
      scope: ['natlsysadmin', 'sysadmin'],
      iat: nowSeconds(),
      exp: nowSeconds() + 600,
      aud: ['opencrvs:auth-user'],
      iss: 'opencrvs:auth-service',
      sub: 'admin',
      userType: 'user',
      jti: 'one',
      ...changes,
    };
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  }

  async token(changes: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    return new SignJWT(this.claims(changes))
      .setProtectedHeader({ ...(await this.header()), ...header })
      .sign(this.privateKey);
  }
}
