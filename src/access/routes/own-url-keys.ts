import { SetMetadata } from '@nestjs/common';

/** Metadata key of routes that look at the parameters in their URL by themselves. */
export const OWN_URL_KEYS = 'matricula:own-url-keys';

/**
 * For a route that takes parameters in its URL, other than as a DTO, and refuses those that it does not know. Any other
 * route without a DTO for them takes none.
 */
export const OwnUrlKeys = (): MethodDecorator => SetMetadata<string, true>(OWN_URL_KEYS, true);
