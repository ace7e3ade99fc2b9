import type { NoticeBodies, NoticeEvent } from '../auth/notices/notice.js';

/** What a development's log shows of a notice, in place of a country configuration that sends it. */
export function noticeLine(event: NoticeEvent, text: string): string {
  const { recipient, ...said } = JSON.parse(text) as NoticeBodies[NoticeEvent];
  const { name, email, mobile } = recipient;
  const to = [`${name.firstname} ${name.surname}`, email ?? mobile].filter((part) => part !== undefined).join(', ');
  // The link contains the token.
  const shown = Object.entries(said).filter(([key]) => key !== 'token' || !('link' in said));
  return `${event} to ${to}: ${shown.map(([key, value]) => `${key} ${value}`).join(', ')}`;
}
