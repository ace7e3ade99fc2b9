import { DERIVED_VERSION } from '../../src/platform/database/connection/derived-version.js';

/** As many connections as the service has on two cores. */
export const CONNECTIONS = 4;

/** The statements ask which version of what is derived the session reads. */
export const SESSION = `-c matricula.derived_version=${DERIVED_VERSION}`;
