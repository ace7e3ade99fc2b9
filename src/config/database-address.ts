import { Secret } from './secret.js';

/**
 * The address of a server with a password that stands beside it, in which no character needs an escape; an address
 * that has one keeps it.
 */
export function withPassword(address: Secret, password: Secret): Secret {
  const url = new URL(address.reveal());
  if (url.password === '') url.password = encodeURIComponent(password.reveal());
  return new Secret(url.href);
}
