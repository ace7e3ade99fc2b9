import type { Uuid } from '../../kernel/domain/uuid.js';

/** Whom a notice is for, as upstream's country configurations read it: absent members are left out. */
export interface Recipient {
  readonly name: { readonly firstname: string; readonly surname: string };
  readonly email?: string;
  readonly mobile?: string;
}

/** A single-use link, and the token in it for a country configuration that writes its own. */
export interface SentLink {
  readonly recipient: Recipient;
  readonly token: string;
  readonly link: string;
}

/**
 * Bodies for `/trigger/user/{event}` of the country configuration, by event (U-2). Names and members are upstream's
 * where it has them. No notice contains a password.
 */
export interface NoticeBodies {
  /** The code of a login. */
  readonly '2fa': { readonly recipient: Recipient; readonly code: string };
  readonly 'password-reset-link': SentLink;
  readonly 'username-reminder-link': SentLink;
  readonly 'username-reminder': { readonly recipient: Recipient; readonly username: string };
  /** The link with which a new user sets the first password. */
  readonly 'user-created': SentLink & { readonly username: string };
}

/** The last segment of the trigger's address. */
export type NoticeEvent = keyof NoticeBodies;

/** All of them. */
export const NOTICE_EVENTS = Object.keys({
  '2fa': true,
  'password-reset-link': true,
  'username-reminder-link': true,
  'username-reminder': true,
  'user-created': true,
} satisfies Record<NoticeEvent, true>) as readonly NoticeEvent[];

/** Something to be sent to a user. */
export interface Notice<E extends NoticeEvent = NoticeEvent> {
  readonly event: E;
  readonly userId: Uuid;
  readonly body: NoticeBodies[E];
  /** How long what it says is of use, by the database's clock: it is not sent after that, and erased. */
  readonly goodSeconds: number;
}

/** The `Recipient` of a row of `user_account`. */
export const recipientOf = ({
  firstname,
  surname,
  email,
  mobile,
}: {
  readonly firstname: string;
  readonly surname: string;
  readonly email: string | null;
  readonly mobile: string | null;
}): Recipient => ({
  name: { firstname, surname },
  ...(email === null ? {} : { email }),
  ...(mobile === null ? {} : { mobile }),
});

/** For the `SecretsBox`: the purpose of the sealed body of a notice. */
export const purposeOfNotice = (noticeId: string): string => `user notice ${noticeId}`;
