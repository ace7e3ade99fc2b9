import type { NOT_HTTPS, NOT_PERMITTED } from './address-policy.js';

/** One request to another server. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Those beside `ownHeaders`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Called when a connection is there, before anything is sent: whether to send. Absent: yes. */
  readonly isWanted?: () => boolean;
}

/** Why there was no answer. `timeout` is the deadline of the whole exchange. */
export type UnreachableClass = 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

/** Of an answer, by name in lower case: any header that occurs several times is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Why nothing was sent, as a client may learn it. */
export type Refused = typeof NOT_PERMITTED | typeof NOT_HTTPS;

/** How an exchange with another server ended. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: AnswerHeaders;
      /** What was read of the body: at most 64 KiB. */
      readonly body: Buffer;
      /** Whether the body was read to its end. */
      readonly whole: boolean;
      readonly durationMs: number;
    }
  /** Nothing was sent: the address, or plain http, is not permitted (W-6). */
  | { readonly kind: 'refused'; readonly reason: Refused; readonly durationMs: number }
  /** Nothing was sent: it was no longer wanted. */
  | { readonly kind: 'withdrawn'; readonly durationMs: number }
  | {
      readonly kind: 'unreachable';
      readonly errorClass: UnreachableClass;
      /** The code of the failure, such as `ECONNREFUSED`; empty if there is none. */
      readonly code: string;
      readonly durationMs: number;
    };
