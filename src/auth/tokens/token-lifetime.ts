import type { Config } from '../../platform/config/config.js';

const LONGEST_SECONDS = 600;
const LONGEST_WHEN_ALLOWED_SECONDS = 604_800;

/** */
export const longestTokenSeconds = (config: Pick<Config, 'ALLOW_LONG_TOKENS'>): number =>
  config.ALLOW_LONG_TOKENS ? LONGEST_WHEN_ALLOWED_SECONDS : LONGEST_SECONDS;
