import { SetMetadata } from '@nestjs/common';

/** Metadata key of routes that take parameters in their URL, other than as a DTO: `OwnUrlKeys`. */
export const OWN_URL_KEYS = 'matricula:own-url-keys';

/** Their names, or any. */
export type OwnUrlKeys = readonly string[] | 'any';

/**
 * For a route that takes these parameters in its URL, and not as a DTO. Any other route without a DTO for them takes
 * none.
 */
export const OwnUrlKeys = (keys: OwnUrlKeys): MethodDecorator => SetMetadata<string, OwnUrlKeys>(OWN_URL_KEYS, keys);
