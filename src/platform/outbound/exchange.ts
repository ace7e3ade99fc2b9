import type { NOT_HTTPS, NOT_PERMITTED } from './address-policy.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Asked once connected, before sending. Absent: yes. */
  readonly isWanted?: () => boolean;
}

/** `timeout` is the deadline of the whole exchange. */
export type UnreachableClass = 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

/** By lower-case name; a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type Refused = typeof NOT_PERMITTED | typeof NOT_HTTPS;

export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: AnswerHeaders;
      /** At most 64 KiB. */
      readonly body: Buffer;
      readonly whole: boolean;
      readonly durationMs: number;
    }
  /** Not sent: the address, or plain http, is not permitted (W-6). */
  | { readonly kind: 'refused'; readonly reason: Refused; readonly durationMs: number }
  | { readonly kind: 'withdrawn'; readonly durationMs: number }
  | {
      readonly kind: 'unreachable';
      readonly errorClass: UnreachableClass;
      /** Such as `ECONNREFUSED`; empty if there is none. */
      readonly code: string;
      readonly durationMs: number;
    };
