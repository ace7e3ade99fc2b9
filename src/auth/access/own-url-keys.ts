import { SetMetadata } from '@nestjs/common';

export const OWN_URL_KEYS = 'matricula:own-url-keys';

export type OwnUrlKeys = readonly string[] | 'any';

/** Declares URL parameters taken without a DTO. Other routes without a DTO take none. */
export const OwnUrlKeys = (keys: OwnUrlKeys): MethodDecorator => SetMetadata<string, OwnUrlKeys>(OWN_URL_KEYS, keys);
