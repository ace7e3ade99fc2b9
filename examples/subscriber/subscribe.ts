/** Where Matricula is, and who we are there. */
export interface Client {
  readonly matriculaUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly shaSecret: string;
}

/** Subscribes the callback to each topic; those that it had are renewed. Throws what the service says against it. */
export async function subscribe(client: Client, callback: string, topics: readonly string[]): Promise<void> {
  const token = await tokenOf(client);
  for (const topic of topics) {
    const answer = await fetch(`${client.matriculaUrl}/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ hub: { callback, mode: 'subscribe', topic, secret: client.shaSecret } }),
    });
    if (answer.status !== 202) throw new Error(`${topic}: ${answer.status} ${await answer.text()}`);
  }
}

async function tokenOf({ matriculaUrl, clientId, clientSecret }: Client): Promise<string> {
  const answer = await fetch(`${matriculaUrl}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}
