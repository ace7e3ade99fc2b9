export const purposeOfShaSecret = (clientId: string): string => `sha_secret of client ${clientId}`;
