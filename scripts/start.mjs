// `npm start`: builds where that is needed, and then is the service. One process, so that a signal reaches what it is meant for.
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
await import('../dist/main.js');
