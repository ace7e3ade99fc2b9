import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { VARIABLES } from './variables.js';

export type Readings = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends { read: (text: string) => infer R }
    ? Valued<R>
    : never;
};
type Valued<R> = R extends { readonly value: infer T } ? T : never;

/** The validated, frozen environment (P-5) and values computed from it. */
export interface Config extends Omit<
  Readings,
  'HOST' | 'INTERNAL_HOST' | 'CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS' | 'WEBHOOK_LEASE_SECONDS'
> {
  readonly HOST: string;
  readonly INTERNAL_HOST: string;
  readonly production: boolean;
  readonly eventConfiguration: EventConfiguration;
  /** Lifetime of a system client's access token. */
  readonly systemTokenSeconds: number;
  /** Without renewal (W-8). */
  readonly webhookLeaseSeconds: number;
}

export const CONFIG = Symbol('CONFIG');
