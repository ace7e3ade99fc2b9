/** What the secret that signs a client's webhooks is sealed for. */
export const purposeOfShaSecret = (clientId: string): string => `sha_secret of client ${clientId}`;
