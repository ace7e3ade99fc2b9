import { decimal, decimals, flag, list, optional, text, whole } from './variable.js';
import { isAddressOrRange, isCertificates } from './variable-checks.js';

export const WEBHOOK_VARIABLES = {
  WEBHOOK_ALLOW_CIDRS: list(
    'addresses or CIDR ranges that subscribers may have although they are not public, between commas',
    '',
    'IP addresses or CIDR ranges between commas',
    isAddressOrRange,
  ),
  WEBHOOK_ALLOW_HTTP: flag('whether a callback may be plain http', false),
  WEBHOOK_CA: {
    ...optional(
      text(
        'authorities trusted for subscribers and the country configuration beside the public ones, as certificates in PEM',
        '',
      ),
    ),
    read: (value: string) => (isCertificates(value) ? { value } : { allowed: 'one or more certificates in PEM' }),
  },
  WEBHOOK_TIMEOUT_SECONDS: decimal('seconds for one whole exchange with a subscriber', 15, 0.1, 300),
  WEBHOOK_RETRY_SECONDS: decimals(
    'seconds before the second, third, … attempt, between commas; after the last one a delivery, confirmation or notice is dead',
    '5,30,120,600,3600,7200,21600,43200,86400',
    0,
    2_592_000,
  ),
  WEBHOOK_DISABLE_AFTER_HOURS: decimal(
    'hours of nothing but failures after which a subscription is disabled',
    72,
    0,
    8_760,
  ),
  WEBHOOK_LEASE_SECONDS: optional(
    whole('seconds for which a process holds what it delivers; absent: 30, or the time-out and 10 more', 30, 1, 3_600),
  ),
  WEBHOOK_MAX_IN_FLIGHT_PER_SUBSCRIPTION: whole(
    'deliveries at a time to one subscription, all processes together',
    5,
    1,
    1_000,
  ),
  SECRET_OVERLAP_SECONDS: whole(
    'seconds for which a client secret is good after it was replaced; 0: it ends at once',
    0,
    0,
    31_536_000,
  ),
  SHA_SECRET_OVERLAP_SECONDS: whole(
    'seconds after a `sha_secret` was replaced in which what is not renewed is signed with the one before',
    86_400,
    0,
    31_536_000,
  ),
  WEBHOOK_RETENTION_DAYS: decimal(
    'days for which deliveries are kept, and confirmations and notices once they are settled',
    30,
    0,
    3_650,
  ),
};
