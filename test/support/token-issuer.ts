import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync } from 'node:crypto';

import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose';

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

type Changes = Readonly<Record<string, unknown>>;

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
  async header(): Promise<Changes> {
    return { alg: 'RS256', typ: 'JWT', kid: await calculateJwkThumbprint(await exportJWK(this.publicKey)) };
  }

  /** The claims of an administrator's token; a claim that is undefined is left out. */
  claims(changes: Changes = {}): Changes {
    return defined({
      scope: ['natlsysadmin', 'sysadmin'],
      iat: nowSeconds(),
      exp: nowSeconds() + 600,
      aud: ['opencrvs:auth-user'],
      iss: 'opencrvs:auth-service',
      sub: 'admin',
      userType: 'user',
      jti: 'one',
      ...changes,
    });
  }

  async token(changes: Changes = {}, header: Changes = {}): Promise<string> {
    return new SignJWT(this.claims(changes))
      .setProtectedHeader({ ...defined({ ...(await this.header()), ...header }), alg: 'RS256' })
      .sign(this.privateKey);
  }
}

const defined = (members: Changes): Changes =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
