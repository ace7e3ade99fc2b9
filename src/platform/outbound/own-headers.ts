import { packageVersion } from '../config/package-version.js';

/**
 * W-6: firewalls refuse requests without `Accept`. Without `Accept-Encoding` a server may compress its answer, which is
 * read as it arrives.
 */
export const ownHeaders = (): Readonly<Record<string, string>> => ({
  accept: 'application/json, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': `Matricula/${packageVersion()}`,
});
