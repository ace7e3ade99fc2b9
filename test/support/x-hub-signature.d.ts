declare module 'x-hub-signature' {
  export default class XHubSignature {
    constructor(algorithm: string, secret: string);
    sign(body: string | Buffer): string;
    verify(signature: string, body: string | Buffer): boolean;
  }
}
