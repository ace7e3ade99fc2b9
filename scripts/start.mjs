// `npm start`: builds where that is needed, and then is the service. One process, which takes the place of
// npm's shell (exec), so that a SIGTERM to npm reaches it.
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
await import('../dist/src/main.js');
