import { Command } from 'commander';

import { environment } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';
import { serve } from './serve.js';

/** `matricula serve`: what `npm start` and the image run. */
export const serveCommand = (): Command =>
  new Command('serve').description('run the service').action(() => serve(readConfig(environment())));
