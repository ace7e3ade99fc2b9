#!/usr/bin/env node
import { buildIfStale } from '../scripts/build-if-stale.mjs';

buildIfStale();
await import('../dist/src/cli/main.js');
