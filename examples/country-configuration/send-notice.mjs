/**
 * Sends a notice to a user. This one prints it: put your mail server, or the gateway of your text messages, here. The
 * same notice may come twice; anything but a 2xx has Matricula send it again.
 *
 * @param {string} event `2fa`, `password-reset-link`, `username-reminder-link`, `username-reminder` or `user-created`
 * @param {object} notice `recipient`, and with it `code`, `link` and `token`, or `username`
 */
export function sendNotice(event, { recipient, ...said }) {
  const { name, email, mobile } = recipient;
  console.log(`${event} to ${name.firstname} ${name.surname} (${email ?? mobile ?? 'no address'}):`, said);
}
