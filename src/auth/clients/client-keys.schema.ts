import { text } from '../../platform/openapi/schemas.js';
import { LONGEST_KID } from './client-keys.js';

/** DTO properties refer to it in `allOf`: otherwise its `required` would count as the property's own. */
export const JWK_SET_SCHEMA = {
  type: 'object' as const,
  description: 'JWK Set (RFC 7517) of the public keys with which the client signs its assertions (`private_key_jwt`)',
  properties: {
    keys: {
      type: 'array' as const,
      maxItems: 5,
      description: 'RSA of 2048 bits or more, EC (P-256, P-384, P-521) or Ed25519; public members alone',
      items: {
        type: 'object' as const,
        properties: {
          kty: { type: 'string', enum: ['RSA', 'EC', 'OKP'] },
          kid: { ...text, minLength: 1, maxLength: LONGEST_KID, description: 'Absent: the RFC 7638 thumbprint' },
          use: { type: 'string', enum: ['sig'] },
          alg: { ...text, description: 'The only algorithm that the key is for; absent: each of its kind' },
          n: text,
          e: text,
          crv: text,
          x: text,
          y: text,
        },
        required: ['kty'],
      },
    },
  },
  required: ['keys'],
};
