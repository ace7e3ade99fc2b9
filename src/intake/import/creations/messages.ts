import type { EventConfiguration } from '../../../domain/event-configuration/event-configuration.js';
import type { StatementText } from '../../../sql/binary-params.js';
import type { Creation, SentLine } from './creation.js';

/** What a thread is started with: the configuration as plain data. */
export type ThreadData = Pick<EventConfiguration, 'types' | 'configured'>;

/** What a thread is told. */
export type ToThread =
  | { readonly kind: 'make'; readonly batch: number; readonly lines: readonly SentLine[] }
  | { readonly kind: 'written'; readonly batch: number }
  | { readonly kind: 'discarded'; readonly batch: number }
  | { readonly kind: 'rows'; readonly query: number; readonly rows: readonly unknown[] }
  | { readonly kind: 'refused'; readonly query: number; readonly error: unknown };

/** What a thread tells. */
export type FromThread =
  | { readonly kind: 'made'; readonly batch: number; readonly creation: Creation }
  | { readonly kind: 'failed'; readonly batch: number; readonly error: unknown }
  | { readonly kind: 'query'; readonly query: number; readonly statement: StatementText };
