import { Command } from 'commander';

import { environment } from '../config/environment.js';
import { readConfig } from '../config/read-config.js';

/** `matricula serve`: what `npm start` and the image run. */
export const serveCommand = (): Command =>
  new Command('serve').description('run the service').action(async () => {
    // The gateway is loaded for this command alone: the others begin in two thirds of the time without it.
    const { serve } = await import('./serve.js');
    await serve(readConfig(environment()));
  });
