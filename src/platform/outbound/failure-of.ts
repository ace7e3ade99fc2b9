import { errorCode } from '../../kernel/errors/service-error.js';
import type { UnreachableClass } from './exchange.js';

export interface Failure {
  readonly errorClass: UnreachableClass;
  readonly code: string;
}

const CLASSES: Readonly<Record<string, UnreachableClass>> = {
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EPERM: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
};

const TLS =
  /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_MISMATCH|INVALID_PURPOSE)/;

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const known = CLASSES[code];
  if (known !== undefined) return { errorClass: known, code };
  return { errorClass: TLS.test(code) ? 'tls' : 'protocol', code };
}

/** With several addresses, the first failure stands for all. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return errorCode(error) ?? ('cause' in error ? codeOf(error.cause) : '');
}
