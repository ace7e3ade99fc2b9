declare module 'simple-oauth2' {
  export class ClientCredentials {
    constructor(config: {
      readonly client: { readonly id: string; readonly secret: string };
      readonly auth: { readonly tokenHost: string; readonly tokenPath: string };
    });
    getToken(
      parameters: Readonly<Record<string, unknown>>,
    ): Promise<{ readonly token: Readonly<Record<string, unknown>> }>;
  }
}
