import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { decide, pendingAction } from './decide.mjs';
import { LaterAnswers } from './later-answers.mjs';
import { sendNotice } from './send-notice.mjs';
import { tokenVerifier } from './service-token.mjs';

const {
  MATRICULA_URL = 'http://127.0.0.1:7070',
  HOST = '127.0.0.1',
  PORT = '3040',
  CLIENT_ID,
  CLIENT_SECRET,
  DELAY_SECONDS = '3',
} = process.env;

const ADDRESS = /^\/trigger\/events\/[^/]+\/actions\/([A-Z_]+)$/;

/** What is sent to a user: a code, a link. */
const NOTICE = /^\/trigger\/user\/([a-z0-9-]+)$/;

const isFromMatricula = tokenVerifier(MATRICULA_URL);
const laterAnswers = new LaterAnswers({
  matriculaUrl: MATRICULA_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  delayMs: Number(DELAY_SECONDS) * 1_000,
});

/** The status and the body of the answer to one request. */
async function answerTo(request) {
  const url = request.url ?? '';
  const [, notice] = NOTICE.exec(url) ?? [];
  if (request.method !== 'POST' || (notice === undefined && !ADDRESS.test(url))) return [404, {}];
  if (!(await isFromMatricula(request.headers.authorization))) return [401, {}];
  if (notice !== undefined) {
    sendNotice(notice, await json(request));
    return [204];
  }
  const event = await json(request);
  const action = pendingAction(event);
  // It was answered in the meantime.
  if (action === undefined) return [202, {}];
  const decision = decide(event, action);
  console.log(`${action.type} ${event.trackingId}: ${decision.kind}`);
  switch (decision.kind) {
    case 'accept':
      return [200, decision.body];
    case 'reject':
      return [400, { reason: decision.reason }];
    default:
      laterAnswers.accept(event, action);
      return [202, {}];
  }
}

const server = createServer((request, response) => {
  answerTo(request)
    // Anything but 200, 202 and 400 has Matricula ask again.
    .catch((error) => {
      console.error(error);
      return [500, {}];
    })
    .then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    });
});
server.listen(Number(PORT), HOST, () => {
  console.log(`listening on port ${server.address().port}`);
});
