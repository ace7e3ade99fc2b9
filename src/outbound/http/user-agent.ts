import { packageVersion } from '../../config/package-version.js';

/** `Matricula/<version>`, the version being that of the package (W-5). */
export const userAgent = (): string => `Matricula/${packageVersion()}`;
