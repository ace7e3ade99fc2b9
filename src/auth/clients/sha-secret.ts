/** The sealing purpose of the secret that signs a client's webhooks. */
export const purposeOfShaSecret = (clientId: string): string => `sha_secret of client ${clientId}`;
