import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { VARIABLES } from './variables.js';

/** The value of every variable under its own name. */
export type Readings = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends { read: (text: string) => infer R }
    ? Valued<R>
    : never;
};
type Valued<R> = R extends { readonly value: infer T } ? T : never;

/**
 * The validated environment, frozen (P-5): every variable under its own name, and a few values computed from several of
 * them.
 */
export interface Config extends Omit<
  Readings,
  'HOST' | 'INTERNAL_HOST' | 'CONFIG_SYSTEM_TOKEN_EXPIRY_SECONDS' | 'WEBHOOK_LEASE_SECONDS'
> {
  readonly HOST: string;
  readonly INTERNAL_HOST: string;
  readonly production: boolean;
  /** The types of event, and what is configured of each (E-3). */
  readonly eventConfiguration: EventConfiguration;
  /** Lifetime of a system client's access token. */
  readonly systemTokenSeconds: number;
  /** How long a process may hold deliveries without renewing its lease (W-8). */
  readonly webhookLeaseSeconds: number;
}

/** Injection token of the `Config`. */
export const CONFIG = Symbol('CONFIG');
