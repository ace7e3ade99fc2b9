// `npm run build`: Nest's own build, with types checked, marked so that nothing builds it again.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

import { markBuilt, sourcesDigest } from './build-if-stale.mjs';

const digest = sourcesDigest();
const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
const { status } = spawnSync(process.execPath, [nest, 'build'], { stdio: 'inherit' });
if (status === 0) markBuilt(digest);
process.exitCode = status ?? 1;
