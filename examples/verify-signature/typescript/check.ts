// SHA_SECRET=… npx tsx check.ts WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < BODY
import { readFileSync } from 'node:fs';
import { argv, env } from 'node:process';

import { isContextGenuine, isGenuine } from './verify-notification.js';

const [id, timestamp, signature] = argv.slice(2);
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
const shaSecret = env['SHA_SECRET'] ?? '';
const body = readFileSync(0);
console.log(`signature: ${isGenuine(headers, body, shaSecret) ? 'genuine' : 'refused'}`);
console.log(`context: ${isContextGenuine(body, shaSecret) ? 'genuine' : 'refused'}`);
